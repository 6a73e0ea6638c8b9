import Of from '@formatjs/intl-relativetimeformat';
import { connect } from './connect.js';
export const RelativeTimeFormat = connect(Of, 'relative');
