export { EmptyExtraction } from './empty-extraction.tsx';
export { ExtractionToolbar } from './extraction-toolbar.tsx';
export { replaceExtraction } from './replace-extraction.ts';
