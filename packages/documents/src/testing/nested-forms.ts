import { buildPdf, firstExtraObject, stream } from './build-pdf.ts';

/** A PDF of a few kilobytes: each of `depth` nested forms uses the next one ten times. */
export function nestedForms(depth: number): Uint8Array {
  const dictionary = '/Type /XObject /Subtype /Form /BBox [0 0 600 700]';
  const extra = Array.from({ length: depth }, (_, at) =>
    at === depth - 1
      ? stream('BT /F1 12 Tf 10 10 Td (Text) Tj ET', `${dictionary} /Resources << /Font << /F1 3 0 R >> >>`)
      : stream(
          '/X Do '.repeat(10),
          `${dictionary} /Resources << /XObject << /X ${firstExtraObject + at + 1} 0 R >> >>`,
        ),
  );
  const content = '/X Do '.repeat(10);
  return buildPdf({ pages: [{ content, resources: `/XObject << /X ${firstExtraObject} 0 R >>` }], extra });
}
