import { DateTimeFormat as Of } from '@formatjs/intl-datetimeformat';
import { connect } from './connect.js';
export const DateTimeFormat = connect(Of, 'datetime');
