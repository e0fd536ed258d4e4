import type { PdfFile } from '../file/pdf-file.ts';
import { readWideString, withMemory, type Pdfium } from '../file/pdfium.ts';
import { isUnmapped } from './script.ts';

/** A text object that a mark gives another text: `/ActualText`. */
interface Replaced {
  object: number;
  mark: number;
  text: string;
}

const key = Buffer.from('ActualText\0');
const textObject = 1;
const formObject = 5;
const maxFormDepth = 10;
const maxObjects = 100_000;
const resultBytes = 8;

/**
 * Takes the marks away that give text of a loaded page a wording which it does not show: PDFium would return that instead. Marks that say what
 * letters without a meaning are, or spell the same, stay. Returns the number of characters that nobody sees.
 */
export function removeFalseTexts(file: PdfFile, page: number, index: number): number {
  const { pdfium } = file;
  const { call } = pdfium;
  const own = replacedTexts(pdfium, page);
  if (own.length === 0) return 0;
  // Without the marks, a copy of the page has the text that it draws.
  const copy = file.loadPage(index);
  if (copy === 0) return 0;
  let untrue: ReadonlySet<string>;
  try {
    const replaced = replacedTexts(pdfium, copy);
    for (const { object, mark } of replaced) call.FPDFPageObj_RemoveMark(object, mark);
    untrue = falseTexts(pdfium, copy, replaced);
  } finally {
    call.FPDF_ClosePage(copy);
  }
  for (const { object, mark, text } of own) if (untrue.has(text)) call.FPDFPageObj_RemoveMark(object, mark);
  return [...untrue].join('').replaceAll(/\s/gu, '').length;
}

function falseTexts(pdfium: Pdfium, page: number, replaced: readonly Replaced[]): Set<string> {
  const { call } = pdfium;
  const textPage = call.FPDFText_LoadPage(page);
  if (textPage === 0) return new Set();
  try {
    const spans = Map.groupBy(replaced, ({ mark }) => mark);
    const found = [...spans.values()].filter((objects) => {
      const drawn = objects.map(({ object }) =>
        readWideString(pdfium, (buffer, size) => call.FPDFTextObj_GetText(object, textPage, buffer, size)),
      );
      return isFalseText(drawn.join(''), objects[0]!.text);
    });
    return new Set(found.map(([first]) => first!.text));
  } finally {
    call.FPDFText_ClosePage(textPage);
  }
}

/** Whether a text says something else than the Latin letters and the digits that are drawn for it. */
function isFalseText(drawn: string, text: string): boolean {
  if (Array.from(drawn).some((character) => isUnmapped(character.codePointAt(0)!))) return false;
  const [shown, said] = [lettersOf(drawn), lettersOf(text)];
  // Letters of fonts of signs are named by signs or words.
  const isSign = /^\p{L}?$/u.test(shown) && said.length !== 1;
  if (isSign || (said === '' && text.trim() !== '')) return false;
  return /^[\p{Script=Latin}\d]+$/u.test(shown) && shown !== said;
}

function lettersOf(text: string): string {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .match(/[\p{L}\p{N}]/gu) ?? []
  ).join('');
}

function replacedTexts(pdfium: Pdfium, page: number): Replaced[] {
  const { call } = pdfium;
  const found: Replaced[] = [];
  let visited = 0;
  withMemory(pdfium, key.length + resultBytes, (result) => {
    const name = result + resultBytes;
    pdfium.bytes().set(key, name);
    const visit = (object: number, depth: number): void => {
      visited += 1;
      if (object === 0 || visited > maxObjects) return;
      const type = call.FPDFPageObj_GetType(object);
      if (type === formObject && depth < maxFormDepth) {
        const count = Math.max(0, call.FPDFFormObj_CountObjects(object));
        for (let at = 0; at < count; at += 1) visit(call.FPDFFormObj_GetObject(object, at), depth + 1);
      }
      if (type !== textObject) return;
      const marks = Math.max(0, call.FPDFPageObj_CountMarks(object));
      for (let at = 0; at < marks; at += 1) {
        const mark = call.FPDFPageObj_GetMark(object, at);
        const read = (buffer: number, size: number): number =>
          call.FPDFPageObjMark_GetParamStringValue(mark, name, buffer, size, result) === 0
            ? 0
            : pdfium.integers()[result / 4]!;
        if (read(0, 0) > 0) found.push({ object, mark, text: readWideString(pdfium, read) });
      }
    };
    const count = Math.max(0, call.FPDFPage_CountObjects(page));
    for (let at = 0; at < count; at += 1) visit(call.FPDFPage_GetObject(page, at), 0);
  });
  return found;
}
