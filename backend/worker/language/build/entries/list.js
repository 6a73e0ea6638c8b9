import Of from '@formatjs/intl-listformat';
import { connect } from './connect.js';
export const ListFormat = connect(Of, 'list');
