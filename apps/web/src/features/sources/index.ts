export { isSameSource, offeredName, sourceLabel } from './source-labels.ts';
