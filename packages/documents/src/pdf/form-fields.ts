import type { Box } from '../page/box.ts';
import { displayedBox, type PageGeometry } from './page-geometry.ts';
import { readWideString, withMemory, type Pdfium } from './pdfium.ts';

/** The visible text of a form field or a note on the page. */
export interface FieldText extends Box {
  text: string;
  isMultiline: boolean;
}

/** Numbers of PDFium's public headers. */
const subtypes = { freeText: 3, widget: 20 };
const annotationFlags = { hidden: 1 << 1, noView: 1 << 5 };
const fieldTypes = { checkBox: 2, radioButton: 3, comboBox: 4, listBox: 5, textField: 6 };
const fieldFlags = { multiline: 1 << 12, password: 1 << 13 };
const checkedBox = '☒';
const uncheckedBox = '☐';

/** Reads the values of the form fields and the text of the notes on a loaded page, which are not in its text layer. */
export function readFields(
  pdfium: Pdfium,
  page: number,
  form: number,
  geometry: PageGeometry,
): { fields: FieldText[]; hidden: FieldText[] } {
  const { call } = pdfium;
  const fields: FieldText[] = [];
  const hidden: FieldText[] = [];
  const count = call.FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index += 1) {
    const annotation = call.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = call.FPDFAnnot_GetSubtype(annotation);
    const isFreeText = subtype === subtypes.freeText;
    const text = isFreeText
      ? readEntry(pdfium, annotation, 'Contents')
      : subtype === subtypes.widget
        ? readValue(pdfium, form, annotation)
        : '';
    const box = text.trim() === '' ? undefined : readBox(pdfium, annotation, geometry);
    if (box) {
      const isHidden = (call.FPDFAnnot_GetFlags(annotation) & (annotationFlags.hidden | annotationFlags.noView)) !== 0;
      const isMultiline =
        isFreeText || (call.FPDFAnnot_GetFormFieldFlags(form, annotation) & fieldFlags.multiline) !== 0;
      (isHidden || !isOnPage(box, geometry) ? hidden : fields).push({ ...box, text, isMultiline });
    }
    call.FPDFPage_CloseAnnot(annotation);
  }
  return { fields, hidden };
}

function readValue(pdfium: Pdfium, form: number, annotation: number): string {
  const { call } = pdfium;
  switch (call.FPDFAnnot_GetFormFieldType(form, annotation)) {
    case fieldTypes.checkBox:
    case fieldTypes.radioButton:
      return isChecked(pdfium, annotation) ? checkedBox : uncheckedBox;
    case fieldTypes.textField:
      // Viewers show a password as dots.
      if ((call.FPDFAnnot_GetFormFieldFlags(form, annotation) & fieldFlags.password) !== 0) return '';
      return readFieldValue(pdfium, form, annotation);
    case fieldTypes.comboBox:
    case fieldTypes.listBox:
      return readFieldValue(pdfium, form, annotation);
    default:
      return '';
  }
}

function readFieldValue(pdfium: Pdfium, form: number, annotation: number): string {
  return readWideString(pdfium, (buffer, size) =>
    pdfium.call.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size),
  );
}

/** The appearance state decides how a box is displayed, regardless of the field's value. */
function isChecked(pdfium: Pdfium, annotation: number): boolean {
  return !['', 'Off'].includes(readEntry(pdfium, annotation, 'AS'));
}

function readEntry(pdfium: Pdfium, annotation: number, entry: string): string {
  const key = Buffer.from(`${entry}\0`);
  return withMemory(pdfium, key.length, (name) => {
    pdfium.bytes().set(key, name);
    return readWideString(pdfium, (buffer, size) =>
      pdfium.call.FPDFAnnot_GetStringValue(annotation, name, buffer, size),
    );
  });
}

function readBox(pdfium: Pdfium, annotation: number, geometry: PageGeometry): Box | undefined {
  return withMemory(pdfium, 16, (address) => {
    if (pdfium.call.FPDFAnnot_GetRect(annotation, address) === 0) return undefined;
    const at = address / 4;
    const [left, top, right, bottom] = pdfium.floats().subarray(at, at + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    return displayedBox(geometry, left, bottom, right, top);
  });
}

function isOnPage({ x0, y0, x1, y1 }: Box, { width, height }: PageGeometry): boolean {
  return x1 - x0 >= 1 && y1 - y0 >= 1 && x1 > 0 && y1 > 0 && x0 < width && y0 < height;
}
