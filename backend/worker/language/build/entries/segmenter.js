export { Segmenter } from '@formatjs/intl-segmenter';
