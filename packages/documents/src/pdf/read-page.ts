import { layOutPage } from '../layout/lay-out-page.ts';
import type { PageWord } from '../layout/page-word.ts';
import type { Rule } from '../layout/tables/rule.ts';
import type { Box } from '../page/box.ts';
import type { Page } from '../page/page.ts';
import { listUnread, type UnreadPart } from '../page/unread.ts';
import { buildWords } from './build-words.ts';
import { showFilledLetters } from './filled-letters.ts';
import { drawAnnotations } from './draw-annotations.ts';
import { readFields, type FieldText } from './form-fields.ts';
import { judgeVisibility } from './hidden-characters.ts';
import { hideInvisibleWords, undrawnText } from './hide-invisible-words.ts';
import { readPageGeometry, type PageGeometry } from './page-geometry.ts';
import { hasLetters, hideText, largePictures, picturesWithLetters } from './page-pictures.ts';
import { undecodedPictures } from './undecoded-pictures.ts';
import { readPageSurfaces, type PageSurfaces } from './page-surfaces.ts';
import { removeFalseTexts } from './letters/false-texts.ts';
import { isGarbled } from './letters/garbled-word.ts';
import { unknownWords } from './letters/unknown-words.ts';
import { withRepeats } from './letters/repeated-letters.ts';
import type { PdfFile } from './file/pdf-file.ts';
import type { Pdfium } from './file/pdfium.ts';
import { readCharacters, type PageCharacters } from './read-characters.ts';
import { doubtfulWords, type DoubtfulWord } from './doubtful-words.ts';
import { withDroppedLetters } from './restore-letters.ts';

/** Share of characters whose font maps them to no Unicode character. A page with more is read like a scan. */
const maxUnmappedShare = 0.3;
/** Share of words with such a character. The spaces of a font without a table are among them and join its words. */
const maxGarbledShare = 0.5;

/** A page is a scan if a picture covers this share of it, and if it has fewer words: a stamp or a page number over the scan. */
const minScanShare = 0.5;
const minTextWords = 60;

/** The same letters can be covered and written again this often. */
const maxLayers = 4;

/** A page with what its recognition needs. */
export interface PageContent {
  page: Page;
  /** The words of `page` with their directions. */
  words: PageWord[];
  /** The printed lines of the page. */
  rules: Rule[];
  /** Where the page must be recognised. */
  pictures: Box[];
  /** Whether the text layer is not what the page shows, so that its letters are recognised too. */
  isSetAside: boolean;
  /** Words to recognise first: where they are others, the text layer is set aside. */
  doubtful: DoubtfulWord[];
}

/** Reads one page of an open document. */
export function readPage(file: PdfFile, index: number): Page {
  return readPageContent(file, index).page;
}

/**
 * Reads one page of an open document, and finds what of it must be recognised: all of it if `isLayerWrong`, which a comparison with the
 * page's pixels says.
 */
export function readPageContent(file: PdfFile, index: number, isLayerWrong = false): PageContent {
  const { pdfium } = file;
  const { call } = pdfium;
  let page = file.loadPage(index);
  const page_num = index + 1;
  // One damaged page does not affect the others.
  if (page === 0) return unreadablePage(page_num);
  let textPage = 0;
  try {
    const geometry = readPageGeometry(pdfium, page);
    const fields = readFields(file, page, geometry);
    const ownObjects = Math.max(0, call.FPDFPage_CountObjects(page));
    if (fields.isDrawn) page = drawAnnotations(file, page, index);
    if (page === 0) return unreadablePage(page_num);
    const unseen = removeFalseTexts(file, page, index);
    textPage = call.FPDFText_LoadPage(page);
    const surfaces = readPageSurfaces(pdfium, page, geometry, file.hasLayers);
    const read = (): PageCharacters =>
      withDroppedLetters(pdfium, page, geometry, readCharacters(pdfium, textPage, geometry));
    let characters = read();
    let visibility = judgeVisibility(characters, surfaces, geometry);
    const hide = (): boolean =>
      visibility.doubtful.includes(1) && hideInvisibleWords(pdfium, page, geometry, characters, visibility);
    for (let repeats = 0; hide() && repeats < maxLayers; repeats += 1) {
      call.FPDFText_ClosePage(textPage);
      textPage = call.FPDFText_LoadPage(page);
      characters = read();
      visibility = judgeVisibility(characters, surfaces, geometry);
    }
    const { hidden } = visibility;
    showFilledLetters(pdfium, page, geometry, characters, surfaces, hidden);
    const drawn = drawnText(characters, hidden, surfaces.orderOfText, ownObjects);
    const undrawn = fields.fields.filter((field) => !drawn.some((place) => isWithin(place, field)));
    const layer =
      isLayerWrong || characters.unmapped > characters.count * maxUnmappedShare
        ? undefined
        : buildWords(characters, withRepeats(characters, hidden, visibility.sharesPlace));
    const isSetAside = !layer || layer.filter(isGarbled).length > layer.length * maxGarbledShare;
    const doubtful = isSetAside ? [] : doubtfulWords(pdfium, page, geometry, characters, hidden, layer);
    const words = [...(isSetAside ? [] : layer), ...undrawn.flatMap(fieldWords)];
    let hiddenText = unseen + (hidden.includes(1) ? hidden.filter((isHidden) => isHidden === 1).length : 0);
    for (const { text } of fields.hidden) hiddenText += text.replace(/\s/g, '').length;
    const large = largePictures(
      surfaces.pictures.map(({ box }) => box),
      geometry,
    );
    const unread = listUnread([
      ...fields.unread,
      ...(isSetAside ? [] : unreadWords(layer, unknownWords(characters, hidden))),
      ...undrawnText(pdfium, characters, visibility).map((box): UnreadPart => ({
        kind: 'font',
        box,
        message: fontNotInFile,
      })),
      ...(hasSwitchedOffLayer(characters, hidden, surfaces) ? [unreadLayer] : []),
      ...undecodedPictures(pdfium, page, geometry, surfaces.pictures, large),
      ...surfaces.hugePictures.map((box): UnreadPart => ({ kind: 'picture_skipped', box, message: hugePicture })),
    ]);
    const pictures = toRecognise(pdfium, page, geometry, surfaces, large, isSetAside, words.length);
    const isWaiting = pictures.length > 0 || doubtful.length > 0;
    const content: Page = {
      page_num,
      width: geometry.width,
      height: geometry.height,
      ...layOutPage(words, surfaces.rules),
      hidden_text: hiddenText,
      needs_ocr: isWaiting,
      ...(isWaiting ? {} : { read_by: 'text' }),
      ...(fields.signatures.length > 0 && { signatures: fields.signatures }),
      ...(unread.length > 0 && { unread }),
    };
    return { page: content, words, rules: surfaces.rules, pictures, isSetAside, doubtful };
  } finally {
    if (textPage !== 0) call.FPDFText_ClosePage(textPage);
    if (page !== 0) call.FPDF_ClosePage(page);
  }
}

/** Words whose letters cannot be meant, and words without a letter that are in none of those. */
function unreadWords(layer: readonly PageWord[], unknown: readonly Box[]): UnreadPart[] {
  const garbled = layer.filter(isGarbled);
  const isPart = ({ x0, y0, x1, y1 }: Box): boolean =>
    garbled.some((word) => isWithin({ x: (x0 + x1) / 2, y: (y0 + y1) / 2 }, word));
  return [...garbled, ...unknown.filter((box) => !isPart(box))].map(({ x0, y0, x1, y1 }) => {
    return { kind: 'font', box: { x0, y0, x1, y1 }, message: unreadFont };
  });
}

const unreadFont = 'Letters of this word were not read, because their font does not say what they are.';
const fontNotInFile =
  'Text was not read, because its font is not in the file, so that nothing shows whether it is covered. Save the PDF with its fonts and upload that.';
const hugePicture =
  'A picture has too many pixels and was not read. Scan it again at a lower resolution and upload that.';
const unreadLayer: UnreadPart = {
  kind: 'layer',
  message:
    'Text on a layer that is switched off was not read. Switch the layer on in a PDF viewer, print to a new PDF and upload that.',
};

/** Whether letters of optional content are hidden. */
function hasSwitchedOffLayer(
  { count, style, styles }: PageCharacters,
  hidden: Uint8Array,
  { layeredText }: PageSurfaces,
): boolean {
  if (layeredText.size === 0) return false;
  for (let index = 0; index < count; index += 1) {
    if (hidden[index] === 1 && layeredText.has(styles[style[index]!]?.object ?? 0)) return true;
  }
  return false;
}

/** The parts of a page whose text is in no text layer. */
function toRecognise(
  pdfium: Pdfium,
  page: number,
  geometry: PageGeometry,
  { objectCount, pictures }: PageSurfaces,
  large: readonly Box[],
  isSetAside: boolean,
  words: number,
): Box[] {
  const { width, height } = geometry;
  if (objectCount === 0) return [];
  const whole = { x0: 0, y0: 0, x1: width, y1: height };
  if (isSetAside) return [whole];
  // Borders of empty fields and other drawings are nothing to recognise.
  if (words === 0) return pictures.length > 0 || hasLetters(pdfium, page, geometry, whole) ? [whole] : [];
  if (large.length === 0) return [];
  const isScan = ({ x0, y0, x1, y1 }: Box): boolean =>
    words < minTextWords && (x1 - x0) * (y1 - y0) >= width * height * minScanShare;
  const others = large.filter((picture) => !isScan(picture));
  if (others.length > 0) hideText(pdfium, page);
  const lettered = picturesWithLetters(pdfium, page, geometry, others);
  return large.filter((picture) => isScan(picture) || lettered.includes(picture));
}

function unreadablePage(page_num: number): PageContent {
  const page: Page = { page_num, width: 612, height: 792, text: '', words: [], hidden_text: 0, needs_ocr: true };
  return { page, words: [], rules: [], pictures: [], isSetAside: false, doubtful: [] };
}

/** The middles of the visible characters that annotations draw. Those of the page itself are its first `ownObjects` objects. */
function drawnText(
  { count, style, styles, x0, y0, x1, y1 }: PageCharacters,
  hidden: Uint8Array,
  orderOfText: ReadonlyMap<number, number>,
  ownObjects: number,
): Point[] {
  const isDrawn = styles.map(({ object }) => (orderOfText.get(object) ?? 0) >= ownObjects);
  const places: Point[] = [];
  for (let index = 0; index < count; index += 1) {
    if (!isDrawn[style[index]!] || hidden[index] === 1) continue;
    places.push({ x: (x0[index]! + x1[index]!) / 2, y: (y0[index]! + y1[index]!) / 2 });
  }
  return places;
}

interface Point {
  x: number;
  y: number;
}

function isWithin({ x, y }: Point, { x0, y0, x1, y1 }: Box): boolean {
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
}

/** Points: a common font size of forms. */
const usualFontSize = 11;
/** In font sizes. */
const lineHeight = 1.2;
/** Average width of a character, in font sizes. */
const characterWidth = 0.5;
/** Points. */
const padding = 2;

/** Words of a field's value, placed within its box about as a viewer draws them. */
function fieldWords({ text, isMultiline, x0, y0, x1, y1 }: FieldText): PageWord[] {
  const width = Math.max(1, x1 - x0 - 2 * padding);
  const size = Math.min(usualFontSize, (y1 - y0) / lineHeight);
  const lines = text
    .split(/\r\n?|\n/)
    .flatMap((line) => (isMultiline ? wrap(line, Math.max(1, Math.floor(width / (size * characterWidth)))) : [line]));
  const height = Math.min(size * lineHeight, (y1 - y0) / lines.length);
  const top = isMultiline ? y0 : (y0 + y1 - height * lines.length) / 2;
  return lines.flatMap((line, index) => lineWords(line, x0 + padding, top + index * height, width, height, size));
}

function wrap(line: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of line.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function lineWords(line: string, left: number, top: number, width: number, height: number, size: number): PageWord[] {
  const step = Math.min(size * characterWidth, width / Math.max(1, line.length));
  return [...line.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    text,
    x0: left + index * step,
    y0: top,
    x1: left + (index + text.length) * step,
    y1: top + height,
    direction: 'right',
  }));
}
