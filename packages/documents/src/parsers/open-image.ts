import { imageSize } from 'image-size';
import { imagePage } from '../page/image-page.ts';
import type { DocumentReader } from '../reader/document-reader.ts';

/** EXIF orientations from this on are sideways. */
const firstSidewaysOrientation = 5;

/** A PNG, JPEG or WebP picture: one page for OCR. */
export const openImage: DocumentReader = (bytes) => {
  const { width, height, orientation = 1 } = imageSize(bytes);
  const isSideways = orientation >= firstSidewaysOrientation;
  const page = imagePage(1, isSideways ? height : width, isSideways ? width : height);
  return Promise.resolve({ pageCount: 1, pages: [page] });
};
