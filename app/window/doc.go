// Package window is the desktop window: the console's page in the system's own
// web view, with the few native things a page cannot do for itself. It is the
// only package that imports Wails.
//
// The page reaches the platform over loopback HTTP exactly as a browser does.
// What the window adds is /boot.json, which carries an owner token for this
// run and which nothing but this window can read. Methods bound to the page
// are dialogs and the like, never anything of the platform: any frame in a web
// view can call bound methods.
package window
