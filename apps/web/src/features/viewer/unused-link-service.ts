/**
 * Replaces `pdfjs-dist/web/pdf_viewer.mjs`, the viewer of PDF.js. react-pdf uses these two exports for the links of the
 * annotation layer, which is not rendered here; the original module has 50 kB.
 */
export class EventBus {
  on(): void {}
}

export class SimpleLinkService {
  readonly externalLinkEnabled = true;
}
