import { createTheme, defaultVariantColorsResolver, type MantineColorsTuple, type VariantColorsResolver } from '@mantine/core';
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

const quiet: Record<string, string> = { teal: 'var(--bt-accent)', gray: 'var(--bt-dim)', red: 'var(--bt-bad)' };

/** Quiet buttons take their colours from our tokens, which are measured against both backgrounds. */
const resolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  if (input.variant !== 'subtle') return colors;
  const color = quiet[input.color ?? input.theme.primaryColor];
  return color ? { ...colors, color, hoverColor: color, hover: 'var(--bt-hover)' } : colors;
};

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
    Select: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 } } },
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 100 }, overlayProps: { backgroundOpacity: 0.4 } } },
    Drawer: { defaultProps: { transitionProps: { duration: 120 }, overlayProps: { backgroundOpacity: 0.25 } } },
  },
});
