export { DocumentViewer } from './document-viewer.tsx';
export type { PageSize } from './geometry/zoom.ts';
export { useNear } from './pages/use-near.ts';
export { PassageContext } from './passage/passage.ts';
export type { PassageMatches, LinkedPassage } from './passage/passage.ts';
