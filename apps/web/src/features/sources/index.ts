export { isSameSource, suggestedSourceName, sourceLabel } from './source-labels.ts';
