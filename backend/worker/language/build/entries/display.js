import { DisplayNames as Of } from '@formatjs/intl-displaynames';
import { connect } from './connect.js';
export const DisplayNames = connect(Of, 'display');
