import type { Box } from '../page/box.ts';
import type { Page } from '../page/page.ts';
import type { UnreadPart } from '../page/unread.ts';
import { displayedBox, type PageGeometry } from './page-geometry.ts';
import { DomUtils, parseDocument } from 'htmlparser2';
import type { PdfFile } from './file/pdf-file.ts';
import { readWideString, withMemory, type Pdfium } from './file/pdfium.ts';

/** The visible text of a form field or a note on the page. */
export interface FieldText extends Box {
  text: string;
  isMultiline: boolean;
}

/** Numbers of PDFium's public headers. */
const subtypes = { freeText: 3, attachedFile: 17, widget: 20 };
/** Sounds, films, screens of players, 3D and rich media. */
const mediaSubtypes = [18, 19, 21, 25, 26];
const annotationFlags = { hidden: 1 << 1, noView: 1 << 5 };
const fieldTypes = { checkBox: 2, radioButton: 3, comboBox: 4, listBox: 5, textField: 6, signature: 7 };
const valueTypes = [fieldTypes.comboBox, fieldTypes.listBox, fieldTypes.textField];
const fieldFlags = { multiline: 1 << 12, password: 1 << 13, comb: 1 << 24 };
/** A file with more signatures is judged by these. */
const maxSignatures = 100;
/** Size of the terminator of a string. */
const emptyStringBytes = 2;
const checkedBox = '☒';
const uncheckedBox = '☐';

/** The annotations of a page. */
interface PageFields {
  /** Values that are text of the page unless the field draws its own text. */
  fields: FieldText[];
  /** Values and notes that no viewer shows. */
  hidden: FieldText[];
  signatures: NonNullable<Page['signatures']>;
  /** Attached files and media. */
  unread: UnreadPart[];
  /** Whether annotations draw something of their own. */
  isDrawn: boolean;
}

/**
 * Reads the fields and notes of a loaded page, which are not in its text layer. Hides the appearance of fields whose value says more
 * than their drawing: a tick, or a comb with a letter in each cell.
 */
export function readFields(file: PdfFile, page: number, geometry: PageGeometry): PageFields {
  const { pdfium } = file;
  const { call } = pdfium;
  const found: PageFields = { fields: [], hidden: [], signatures: [], unread: [], isDrawn: false };
  const count = call.FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index += 1) {
    const annotation = call.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = call.FPDFAnnot_GetSubtype(annotation);
    if (subtype === subtypes.widget) readWidget(file, annotation, geometry, found);
    // A note without a drawing of its own is drawn by viewers from its contents.
    else if (subtype === subtypes.freeText && !hasDrawing(pdfium, annotation)) {
      addText(pdfium, annotation, geometry, noteText(pdfium, annotation), true, found);
    } else if (subtype === subtypes.attachedFile || mediaSubtypes.includes(subtype)) {
      readUnread(pdfium, annotation, subtype, geometry, found);
    }
    // PDFium would draw those that are only printed.
    if (isHidden(pdfium, annotation)) hide(pdfium, annotation);
    else found.isDrawn ||= hasDrawing(pdfium, annotation);
    call.FPDFPage_CloseAnnot(annotation);
  }
  return found;
}

function addText(
  pdfium: Pdfium,
  annotation: number,
  geometry: PageGeometry,
  text: string,
  isMultiline: boolean,
  found: PageFields,
): void {
  const box = text.trim() === '' ? undefined : readBox(pdfium, annotation, geometry);
  if (!box) return;
  const isVisible = !isHidden(pdfium, annotation) && isOnPage(box, geometry);
  (isVisible ? found.fields : found.hidden).push({ ...box, text, isMultiline });
}

function readWidget(file: PdfFile, annotation: number, geometry: PageGeometry, found: PageFields): void {
  const { pdfium, form } = file;
  const { call } = pdfium;
  const type = call.FPDFAnnot_GetFormFieldType(form, annotation);
  const flags = call.FPDFAnnot_GetFormFieldFlags(form, annotation);
  const add = (text: string, isMultiline: boolean): void =>
    addText(pdfium, annotation, geometry, text, isMultiline, found);
  if (type === fieldTypes.signature) {
    const box = readBox(pdfium, annotation, geometry);
    const isVisible = box && !isHidden(pdfium, annotation) && isOnPage(box, geometry);
    if (isVisible) found.signatures.push({ box, signed: isSigned(file, annotation) });
  } else if (type === fieldTypes.checkBox || type === fieldTypes.radioButton) {
    add(isChecked(pdfium, annotation) ? checkedBox : uncheckedBox, false);
    hide(pdfium, annotation);
  } else if (valueTypes.includes(type) && !(type === fieldTypes.textField && (flags & fieldFlags.password) !== 0)) {
    // Viewers show a password as dots.
    const value = readFieldValue(pdfium, form, annotation);
    add(value, type === fieldTypes.textField && (flags & fieldFlags.multiline) !== 0);
    if (type === fieldTypes.textField && (flags & fieldFlags.comb) !== 0 && value !== '') hide(pdfium, annotation);
  }
}

/**
 * Whether the field of a widget holds a signature. PDFium shows the entries of the widget alone, and not those of a field above it.
 * There the signatures of the file say it, and where only some of those are made, the drawing of the widget.
 */
function isSigned({ pdfium, document, form }: PdfFile, annotation: number): boolean {
  const { call } = pdfium;
  if (hasEntry(pdfium, annotation, 'V')) return true;
  const field = call.EPDFAnnot_GetFormFieldObjectNumber(form, annotation);
  if (field === call.EPDFAnnot_GetObjectNumber(annotation)) return false;
  const all = Math.min(call.FPDF_GetSignatureCount(document), maxSignatures);
  const made = Array.from({ length: all }, (_, index) => call.FPDF_GetSignatureObject(document, index)).filter(
    (signature) => call.FPDFSignatureObj_GetContents(signature, 0, 0) > 0,
  ).length;
  if (all > 0 && (made === 0 || made === all)) return made > 0;
  return hasDrawing(pdfium, annotation);
}

/** A file or something to play, at its place. A hidden one is not shown. */
function readUnread(
  pdfium: Pdfium,
  annotation: number,
  subtype: number,
  geometry: PageGeometry,
  { unread }: PageFields,
): void {
  if (isHidden(pdfium, annotation)) return;
  const box = readBox(pdfium, annotation, geometry);
  const at = box && isOnPage(box, geometry) ? { box } : {};
  if (subtype !== subtypes.attachedFile) {
    unread.push({ kind: 'media', ...at, message: unreadMedia });
    return;
  }
  const file = pdfium.call.FPDFAnnot_GetFileAttachment(annotation);
  const name = file === 0 ? '' : attachedName(pdfium, file);
  unread.push({ kind: 'embedded_file', ...at, ...(name && { name }), message: unreadFile });
}

const unreadMedia = 'A film, a sound or a 3D model on this page was not read. Open the PDF in a viewer that plays it.';
export const unreadFile =
  'A file inside of this PDF was not read. Save it from the PDF and upload it as a document of its own.';

/** The name of a file in a PDF. */
export function attachedName(pdfium: Pdfium, file: number): string {
  return readWideString(pdfium, (buffer, size) => pdfium.call.FPDFAttachment_GetName(file, buffer, size));
}

/** The text of a note, which is plain or rich. */
function noteText(pdfium: Pdfium, annotation: number): string {
  const plain = readEntry(pdfium, annotation, 'Contents');
  if (plain.trim() !== '') return plain;
  const paragraphs = readEntry(pdfium, annotation, 'RC').replaceAll(/<(?:\/p|\/div|br)\b[^>]*>/giu, '\n');
  return parseDocument(paragraphs.replaceAll(/<[^<>]*>/gu, ''))
    .children.map((node) => DomUtils.textContent(node))
    .join('')
    .trim();
}

function isHidden({ call }: Pdfium, annotation: number): boolean {
  return (call.FPDFAnnot_GetFlags(annotation) & (annotationFlags.hidden | annotationFlags.noView)) !== 0;
}

function hide({ call }: Pdfium, annotation: number): void {
  call.FPDFAnnot_SetFlags(annotation, call.FPDFAnnot_GetFlags(annotation) | annotationFlags.hidden);
}

function hasDrawing({ call }: Pdfium, annotation: number): boolean {
  return call.FPDFAnnot_GetAP(annotation, 0, 0, 0) > emptyStringBytes;
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
  return withKey(pdfium, entry, (name) =>
    readWideString(pdfium, (buffer, size) => pdfium.call.FPDFAnnot_GetStringValue(annotation, name, buffer, size)),
  );
}

function hasEntry(pdfium: Pdfium, annotation: number, entry: string): boolean {
  return withKey(pdfium, entry, (name) => pdfium.call.FPDFAnnot_HasKey(annotation, name) !== 0);
}

function withKey<Result>(pdfium: Pdfium, entry: string, use: (name: number) => Result): Result {
  const key = Buffer.from(`${entry}\0`);
  return withMemory(pdfium, key.length, (name) => {
    pdfium.bytes().set(key, name);
    return use(name);
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
