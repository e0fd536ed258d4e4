export { DocumentViewer } from './document-viewer.tsx';
export type { PageSize } from './geometry/zoom.ts';
export { useNear } from './pages/when-drawn.ts';
export { PassageContext } from './passage/passage.ts';
export type { FoundThere, Passage } from './passage/passage.ts';
