import { NumberFormat as Of } from '@formatjs/intl-numberformat';
import { connect } from './connect.js';
export const NumberFormat = connect(Of, 'number');
