export { DocwrightApi } from './docwright-api.ts';
export { Docwright } from './docwright-node.ts';
export { DocwrightTrigger } from './docwright-trigger.ts';
