import type { GrayImage, Quarters } from '../image/gray-image.ts';
import { rulesOfImage } from '../image/image-rules.ts';
import { findLetters } from '../image/letter-height.ts';
import { boxBefore } from '../image/straighten.ts';
import { withMachineData } from '../machine-data/page-machine-data.ts';
import { layOutPage } from '../layout/lay-out-page.ts';
import type { PageWord } from '../layout/page-word.ts';
import { medianHeight } from '../layout/rows/median.ts';
import type { Rule } from '../layout/tables/rule.ts';
import { hundredths, type Box } from '../page/box.ts';
import type { Page, Word } from '../page/page.ts';
import type { ReadingDirection } from '../page/reading-direction.ts';
import { listUnread, type UnreadPart } from '../page/unread.ts';
import type { OcrLanguage } from './engine/ocr-language.ts';
import type { ReadPicture } from './engine/read-picture.ts';
import type { RecognizedWord } from './engine/recognized-word.ts';
import type { PicturedPage } from './page-image.ts';
import { readTurnedParts } from './read-turned-parts.ts';
import { unreadInk, withoutUnsureParts } from './unread-ink.ts';

/** A page with its recognised text. */
export interface RecognizedPage {
  page: Page;
  /** The detected language, which is likely that of the next page too. */
  language: OcrLanguage;
}

/** Difference of brightness, 0–255, as for text layers. */
const minVisibleDifference = 40;
/** Share of the darkest and of the lightest pixels of a word's box that are left out when its contrast is measured. */
const minInkShare = 0.02;
/** A word of less confidence is noise. */
const minWordConfidence = 0.1;
/** A word without a letter or digit and of less confidence is a rule, a stain or the edge of the paper. */
const minSignConfidence = 0.6;
/** A faint word of less confidence is a stain; otherwise it is hidden text. */
const minFaintTextConfidence = 0.6;
/** Share of a recognised word that a word of the text layer covers if the two are the same. */
const minSharedArea = 0.4;

/**
 * Share of the page. Unread marks in a smaller part are a signature or a drawing. The area of lines is estimated at three fifths of what
 * they take, or more, so that a twentieth of a page is always named.
 */
const minUnreadShare = 0.029;

/** A recognised word for the layout, and its place on the page as displayed. */
interface PlacedWord extends PageWord {
  displayed: Box;
}

/** What was read of one picture. */
interface PictureContent {
  words: PlacedWord[];
  rules: Rule[];
  hiddenText: number;
  unread: UnreadPart[];
  language: OcrLanguage;
  /** The place on the page of a box on the straightened picture. */
  asDisplayed: (box: Box) => Box;
}

/** The direction of text that a number of quarter turns makes upright. */
const directions: Readonly<Record<Quarters, ReadingDirection>> = { 0: 'right', 1: 'up', 2: 'left', 3: 'down' };

/** Recognises the pictures of a page, and merges their words with those of its text layer in reading order. */
export async function readPageImage(
  readPicture: ReadPicture,
  { page, words: written, rules, pictures, skipped, codes }: PicturedPage,
  likely: OcrLanguage | undefined,
): Promise<RecognizedPage> {
  const isAlone = written.length === 0 && pictures.length === 1;
  const found: PictureContent[] = [];
  for (const picture of pictures) {
    found.push(await readPlaced(readPicture, picture, page, isAlone, found.at(-1)?.language ?? likely));
  }
  const recognised = found
    .flatMap(({ words }) => words)
    .filter(({ displayed }) => !page.words.some((other) => covers(other, displayed)))
    // The squares of a code are no letters.
    .filter(
      ({ displayed }) => !codes.machineData.some(({ kind, box }) => kind === 'qr_code' && covers(box!, displayed)),
    );
  const all: PageWord[] = [...written, ...recognised];
  const laidOut = layOutPage(all, [...rules, ...found.flatMap((picture) => picture.rules)]);
  const displayedOf = new Map<Word, Box>(recognised.map((word) => [word, word.displayed]));
  const words = laidOut.words.map((word): Word => {
    const { text, x0, y0, x1, y1, confidence, engine } = { ...word, ...displayedOf.get(word) };
    const recognition =
      confidence === undefined ? {} : { confidence: hundredths(confidence), ...(engine && { engine }) };
    return { text, x0, y0, x1, y1, ...recognition };
  });
  const unread = listUnread([
    ...(page.unread ?? []),
    ...found.flatMap((picture) => picture.unread),
    ...skipped.map((box): UnreadPart => ({ kind: 'picture_skipped', box, message: tooManyPictures })),
  ]);
  const read: Page = {
    ...page,
    text: laidOut.text,
    words,
    tables: isAlone ? laidOut.tables.map((table) => ({ ...table, ...found[0]!.asDisplayed(table) })) : laidOut.tables,
    hidden_text: page.hidden_text + found.reduce((sum, { hiddenText }) => sum + hiddenText, 0),
    needs_ocr: false,
    read_by: written.length === 0 ? 'ocr' : recognised.length === 0 ? 'text' : 'mixed',
    ...(unread.length > 0 ? { unread } : {}),
  };
  return { page: withMachineData(read, codes), language: found.at(-1)?.language ?? likely ?? 'eng' };
}

/** With `isAlone`, the layout works on the straightened picture; otherwise on the page. */
async function readPlaced(
  readPicture: ReadPicture,
  { image, scale, x, y }: PicturedPage['pictures'][number],
  page: Page,
  isAlone: boolean,
  likely: OcrLanguage | undefined,
): Promise<PictureContent> {
  const read = await readPicture(image, likely);
  const { straightening, image: straight, language } = read;
  const letters = findLetters(straight);
  const meaningful = (await readTurnedParts(readPicture, read, letters)).filter(isMeaningful);
  const visible = meaningful.filter((word) => isVisible(word, straight));
  const faint = meaningful.filter((word) => !visible.includes(word) && word.confidence >= minFaintTextConfidence);
  const asDisplayed = (box: Box): Box => {
    const before = boxBefore(box, image, straightening);
    return {
      x0: hundredths(x + before.x0 / scale),
      y0: hundredths(y + before.y0 / scale),
      x1: hundredths(x + before.x1 / scale),
      y1: hundredths(y + before.y1 / scale),
    };
  };
  // Pixels of the straightened picture for one point. A small turn made it larger on all sides.
  const unit = straightening.scale * scale;
  const left = x - (straight.width / unit - image.width / scale) / 2;
  const top = y - (straight.height / unit - image.height / scale) / 2;
  const isUpright = straightening.quarters === 0;
  const forLayout = ({ x0, y0, x1, y1 }: Box): Box => {
    if (isAlone) return { x0, y0, x1, y1 };
    if (!isUpright) return asDisplayed({ x0, y0, x1, y1 });
    return { x0: left + x0 / unit, y0: top + y0 / unit, x1: left + x1 / unit, y1: top + y1 / unit };
  };
  const turned = isAlone ? 0 : straightening.quarters;
  const words = visible.map((word): PlacedWord => {
    const { quarters = 0, ...upright } = word;
    const direction = directions[((turned + quarters) % 4) as Quarters];
    return { ...upright, ...forLayout(word), direction, displayed: asDisplayed(word) };
  });
  const rules = visible.length === 0 ? [] : rulesOfImage(straight, medianHeight(visible)!).map(forLayout);
  const ink = unreadInk(straight, withoutUnsureParts(meaningful), letters);
  const isUnread = visible.length === 0 || ink.area > unit * unit * page.width * page.height * minUnreadShare;
  // Hidden text is not asked for. Elsewhere on the page it explains nothing.
  const isHidden = visible.length === 0 ? faint.length > 0 : faint.some((word) => ink.box && meets(word, ink.box));
  const unread: UnreadPart[] =
    ink.box && isUnread && !isHidden
      ? [{ kind: 'picture', box: asDisplayed(ink.box), message: visible.length === 0 ? nothingRead : partRead }]
      : [];
  const hiddenText = faint.reduce((sum, word) => sum + word.text.length, 0);
  return { words, rules, hiddenText, unread, language, asDisplayed };
}

const nothingRead = 'A picture that seems to have text was not read: nothing in it was recognised for sure.';
const partRead = 'A part of this page that seems to have text was not read.';
const tooManyPictures = 'The page has too many pictures. This one was not read.';

/** The rule between two columns of a table is not a word, even with high confidence. */
const rule = /^[|¦[\]]+$/u;

function isMeaningful({ text, confidence }: RecognizedWord): boolean {
  if (rule.test(text)) return false;
  return confidence >= (/[\p{L}\p{N}]/u.test(text) ? minWordConfidence : minSignConfidence);
}

/** Whether a word contrasts enough with its background: faint text counts as hidden, in a scan too. */
function isVisible({ x0, y0, x1, y1 }: Box, { pixels, width, height }: GrayImage): boolean {
  const counts = new Uint32Array(256);
  let total = 0;
  for (let y = Math.max(0, Math.floor(y0)); y < Math.min(height, y1); y += 1) {
    for (let x = Math.max(0, Math.floor(x0)); x < Math.min(width, x1); x += 1) {
      counts[pixels[y * width + x]!]! += 1;
      total += 1;
    }
  }
  const shadeAt = (share: number): number => {
    let seen = 0;
    return counts.findIndex((count) => (seen += count) >= total * share);
  };
  return shadeAt(1 - minInkShare) - shadeAt(minInkShare) >= minVisibleDifference;
}

function meets(one: Box, other: Box): boolean {
  return one.x0 < other.x1 && other.x0 < one.x1 && one.y0 < other.y1 && other.y0 < one.y1;
}

function covers(word: Box, other: Box): boolean {
  const width = Math.min(word.x1, other.x1) - Math.max(word.x0, other.x0);
  const height = Math.min(word.y1, other.y1) - Math.max(word.y0, other.y0);
  return width > 0 && height > 0 && width * height > (other.x1 - other.x0) * (other.y1 - other.y0) * minSharedArea;
}
