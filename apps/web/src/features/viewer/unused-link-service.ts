/**
 * Stands in for `pdfjs-dist/web/pdf_viewer.mjs`, the whole of PDF.js's own viewer, of which react-pdf takes these two for
 * the links of the annotation layer. That layer is not drawn here, and the original weighs 50 kB.
 */
export class EventBus {
  on(): void {}
}

export class SimpleLinkService {
  readonly externalLinkEnabled = true;
}
