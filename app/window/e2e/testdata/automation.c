/*
 * Lets WebKitWebDriver drive a program that does not offer automation itself.
 *
 * Preloaded before the program, it takes the place of the one function with
 * which the program makes its web view, makes the view automatable instead,
 * and hands that same view to the driver when the driver asks for one. The
 * program on disk is the one that ships.
 */
#include <gtk/gtk.h>
#include <webkit2/webkit2.h>

static WebKitWebView *only_view;

static WebKitWebView *hand_over(WebKitAutomationSession *session, gpointer unused) {
	(void)session;
	(void)unused;
	return only_view;
}

static void begin(WebKitWebContext *context, WebKitAutomationSession *session, gpointer unused) {
	(void)context;
	(void)unused;
	WebKitApplicationInfo *info = webkit_application_info_new();
	webkit_application_info_set_name(info, "benchtop-desktop");
	webkit_application_info_set_version(info, 1, 0, 0);
	webkit_automation_session_set_application_info(session, info);
	webkit_application_info_unref(info);
	g_signal_connect(session, "create-web-view", G_CALLBACK(hand_over), NULL);
}

GtkWidget *webkit_web_view_new_with_user_content_manager(WebKitUserContentManager *manager) {
	WebKitWebContext *context = webkit_web_context_get_default();
	webkit_web_context_set_automation_allowed(context, TRUE);
	g_signal_connect(context, "automation-started", G_CALLBACK(begin), NULL);
	only_view = WEBKIT_WEB_VIEW(g_object_new(WEBKIT_TYPE_WEB_VIEW, "user-content-manager", manager,
						 "is-controlled-by-automation", TRUE, NULL));
	return GTK_WIDGET(only_view);
}
