import { createTheme, defaultVariantColorsResolver, type CSSVariablesResolver, type MantineColorsTuple, type VariantColorsResolver } from '@mantine/core';
import { t } from '../i18n/t';

const teal: MantineColorsTuple = [
  '#e5f6f3', '#cfeae6', '#a2d6ce', '#71c1b6', '#49b0a2', '#2aa294', '#12897d', '#0b6e66', '#075a54', '#04443f',
];
const gray: MantineColorsTuple = [
  '#f8f9fa', '#f1f3f4', '#e6eaec', '#dfe4e7', '#c4ccd1', '#9ba6ae', '#76828b', '#57626b', '#323b42', '#15191c',
];
const dark: MantineColorsTuple = [
  '#e7ebed', '#c3cbd0', '#9ba6ae', '#5c6870', '#3a444b', '#262d32', '#1b2024', '#15191c', '#111518', '#0e1113',
];

/** What the palette's colours are called among our tokens, which are measured against both backgrounds. */
const tokens: Record<string, { text: string; soft: string }> = {
  teal: { text: 'var(--bt-accent)', soft: 'var(--bt-accent-soft)' },
  gray: { text: 'var(--bt-dim)', soft: 'var(--bt-hover)' },
  red: { text: 'var(--bt-bad)', soft: 'var(--bt-bad-soft)' },
};

/** Buttons without a ground of their own take their text from the tokens. */
const resolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const token = tokens[input.color ?? input.theme.primaryColor];
  if (!token) return colors;
  if (input.variant === 'subtle') return { ...colors, color: token.text, hoverColor: token.text, hover: 'var(--bt-hover)' };
  if (input.variant === 'light') return { ...colors, color: token.text, hoverColor: token.text, background: token.soft, hover: token.soft };
  return colors;
};

/** Red is danger everywhere: in filled buttons, items of menus and beside fields. Its own shades are too light to be read. */
export const cssVariables: CSSVariablesResolver = () => {
  const variables = {
    '--mantine-color-red-6': 'var(--bt-bad)',
    '--mantine-color-red-filled': 'var(--bt-bad-fill)',
    '--mantine-color-red-filled-hover': 'var(--bt-bad-fill-hover)',
    '--mantine-color-error': 'var(--bt-bad)',
    '--mantine-color-dimmed': 'var(--bt-dim)',
    '--mantine-color-placeholder': 'var(--bt-faint)',
  };
  return { variables: {}, light: variables, dark: variables };
};

/** A menu begins at its first item that can be chosen. Left to itself it would begin at the first, and nowhere if that is disabled. */
function beginAtFirst(menu: HTMLElement | null): void {
  menu?.querySelector('[role^=menuitem]:not(:disabled)')?.setAttribute('data-autofocus', '');
}

export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: 7,
  variantColorResolver: resolver,
  colors: { teal, gray, dark },
  fontFamily: 'var(--bt-font)',
  fontFamilyMonospace: 'var(--bt-mono)',
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '15px', xl: '18px' },
  headings: { fontFamily: 'var(--bt-font)', fontWeight: '620' },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '14px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: false, fz: 12, transitionProps: { duration: 80 } } },
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs', visibilityToggleButtonProps: { 'aria-label': t('Toggle password visibility') } } },
    // The list itself scrolls, and no box in it that the keyboard cannot reach.
    Select: { defaultProps: { size: 'xs', withScrollArea: false }, styles: { dropdown: { minWidth: 'max-content' }, options: { maxHeight: 220, overflowY: 'auto', scrollbarWidth: 'thin' } } },
    Textarea: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs', withItemsBorders: false } },
    // The placeholder would be a child of the menu that is no item of it.
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 }, withInitialFocusPlaceholder: false } },
    MenuDropdown: { defaultProps: { ref: beginAtFirst } },
    Notification: { defaultProps: { withBorder: true, closeButtonProps: { 'aria-label': t('Close') } } },
    // Above and below a tall one is room for a notification.
    Modal: { defaultProps: { centered: true, yOffset: 'clamp(72px, 5dvh, 200px)', transitionProps: { duration: 100 }, overlayProps: { backgroundOpacity: 0.4 } } },
    Drawer: { defaultProps: { transitionProps: { duration: 120 }, overlayProps: { backgroundOpacity: 0.25 } } },
  },
});
