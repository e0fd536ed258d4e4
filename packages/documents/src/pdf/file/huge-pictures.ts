import { withMemory, type Pdfium } from './pdfium.ts';

/** A drawing of the largest usual paper (A0) at 600 dots an inch has 560 million. PDFium decodes all of a picture for each drawing. */
const maxPixels = 600_000_000;
const objectTypes = { image: 3, form: 5 };
const maxFormDepth = 8;

/** Whether a picture has so many pixels that drawing it takes too long. `scratch` is 8 bytes of PDFium's memory. */
export function isHuge({ call, integers }: Pdfium, picture: number, scratch: number): boolean {
  if (call.FPDFImageObj_GetImagePixelSize(picture, scratch, scratch + 4) === 0) return false;
  return integers()[scratch / 4]! * integers()[scratch / 4 + 1]! > maxPixels;
}

/**
 * Makes a loaded page draw nothing for its own pictures that are huge, those within forms included. PDFium does not name the masks of
 * pictures and the pictures in patterns, so that they are drawn at any size, until the thread's time ends.
 */
export function leaveOutHugePictures(pdfium: Pdfium, page: number): void {
  const { call } = pdfium;
  withMemory(pdfium, 8, (scratch) => {
    const visit = (object: number, depth: number): void => {
      const type = call.FPDFPageObj_GetType(object);
      if (type === objectTypes.image && isHuge(pdfium, object, scratch)) call.FPDFPageObj_SetIsActive(object, 0);
      if (type !== objectTypes.form || depth >= maxFormDepth) return;
      const count = call.FPDFFormObj_CountObjects(object);
      for (let index = 0; index < count; index += 1) visit(call.FPDFFormObj_GetObject(object, index), depth + 1);
    };
    const count = call.FPDFPage_CountObjects(page);
    for (let index = 0; index < count; index += 1) visit(call.FPDFPage_GetObject(page, index), 0);
  });
}
