/**
 * Unread ink on made pages, each recognised by the product's engine. A page that is read whole names nothing. On the other pages the
 * words of some lines, more than a twentieth of the page, are taken from the answer of the engine, or as many are slanted or mirrored,
 * and the page names that part.
 * Run: node tests/reading/ink-pages.ts [--count 100] [--from 0] [--engine auto] [--models <folder>]
 */
import { parseArgs } from 'node:util';
import { ocrEngines, type Page } from '@docwright/documents';
import { buildPdf, line } from '@docwright/documents/testing';
import { pictureOf } from '@docwright/documents/testing/picture';
import { chooseEngine } from '../../packages/documents/src/ocr/choose-engine.ts';
import type { ReadPicture } from '../../packages/documents/src/ocr/engine/read-picture.ts';
import { readPageImage } from '../../packages/documents/src/ocr/read-page-image.ts';
import { loadTesseract } from '../../packages/documents/src/ocr/tesseract/tesseract.ts';
import { imagePage } from '../../packages/documents/src/page/image-page.ts';
import { Random } from '../bench/made-documents/random.ts';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    /** The first seed. */
    from: { type: 'string', default: '0' },
    engine: { type: 'string', default: 'auto' },
    models: { type: 'string' },
  },
});
const engine = ocrEngines.find((name) => name === options.engine) ?? 'auto';
const [width, height] = [612, 792];
/** Pixels for one point. */
const scale = 2;
const margin = 50;
const vocabulary =
  'the total amount is due within thirty days of receipt please quote number 48213 with your payment net 1,204.50 delivery to Harbour Street 12 on 4 March warranty covers parts and labour'.split(
    ' ',
  );

/** What stands on a page beside its text. None of it is text. */
const decorations: readonly ((random: Random) => string)[] = [
  () => '',
  () => `40 60 ${width - 80} ${height - 100} re S\n`,
  (random) =>
    Array.from({ length: 9 }, () => `${random.between(60, 500)} ${random.between(20, 40)} 12 12 re f`).join('\n'),
  (random) => `420 ${random.between(745, 755)} 60 25 re f 0.5 g 490 750 20 20 re f 0 g\n`,
  // A signature.
  () => '1.5 w 380 30 m 390 70 400 10 410 45 c 420 60 425 20 440 40 c 450 50 470 25 500 35 c S 1 w\n',
  // Columns.
  () => Array.from({ length: 5 }, (_, index) => `${60 + index * 22} 22 14 ${8 + index * 4} re f`).join('\n'),
];

/** Words of another part of the page, drawn at an angle or mirrored, which the engine reads as words that are not there, or not at all. */
function turnedPart(seed: number, kind: 'slanted' | 'mirrored'): string {
  const random = new Random(seed);
  const size = random.between(9, 13);
  const textOf = (count: number): string =>
    Array.from({ length: count }, () => vocabulary[random.between(0, vocabulary.length - 1)]!).join(' ');
  const above = Array.from({ length: 14 }, (_, index) => line(textOf(8), margin, 740 - index * size * 1.5, size));
  const angle = ((random.between(15, 70) * Math.PI) / 180) * (random.next() < 0.3 ? -1 : 1);
  const [x, y] = [Math.cos(angle), Math.sin(angle)];
  const matrix = kind === 'mirrored' ? '-1 0 0 1 350 260 cm' : `${x} ${y} ${-y} ${x} 306 260 cm`;
  const count = random.between(8, 13);
  const turned = Array.from({ length: count }, (_, index) =>
    line(textOf(6), -150, (count / 2 - index) * size * 1.4, size),
  );
  return `${above.join('')}q ${matrix}\n${turned.join('')}Q\n`;
}

interface MadePage {
  content: string;
  /** The part of the page that is not read, in points from the top. */
  part: { top: number; bottom: number };
}

function makePage(seed: number): MadePage {
  const random = new Random(seed);
  const size = random.between(8, 14);
  const pitch = size * (1.2 + random.next() * 0.7);
  const count = Math.floor((height - 2 * 55 - 30) / pitch);
  const words = Math.floor((width - 2 * margin) / (size * 3));
  const lines = Array.from({ length: count }, (_, index) => ({
    text: Array.from({ length: words }, () => vocabulary[random.between(0, vocabulary.length - 1)]!).join(' '),
    y: height - 75 - index * pitch,
  }));
  // A twentieth of the page, and a bit more, since lines are not as wide as the page.
  const unread = Math.ceil(((0.05 + random.next() * 0.1) * width * height) / (words * size * 2.2) / pitch);
  const first = random.between(1, Math.max(1, count - unread - 1));
  const drawn = lines.map(({ text, y }) => line(text, margin, y, size));
  const top = lines[first]!.y + size;
  const bottom = lines[Math.min(count - 1, first + unread - 1)]!.y - size * 0.3;
  const content = drawn.join('') + decorations[seed % decorations.length]!(random);
  return { content, part: { top: height - top, bottom: height - bottom } };
}

const kinds = ['clean', 'left out', 'slanted', 'mirrored'] as const;
type Kind = (typeof kinds)[number];

async function readMade({ content, part }: MadePage, kind: Kind, read: ReadPicture): Promise<Page> {
  const image = await pictureOf(buildPdf({ pages: [{ mediaBox: [0, 0, width, height], content }] }), scale);
  const withoutPart: ReadPicture = async (picture, likely) => {
    const answer = await read(picture, likely);
    const pixels = scale * answer.straightening.scale;
    const isOutside = ({ y0, y1 }: { y0: number; y1: number }): boolean => {
      const middle = (y0 + y1) / 2 / pixels;
      return middle < part.top || middle > part.bottom;
    };
    return { ...answer, words: answer.words.filter(isOutside) };
  };
  const page = imagePage(1, width, height);
  const pictures = [{ image, scale, x: 0, y: 0 }];
  const codes = { machineData: [], unread: [] };
  const given = { page, words: [], rules: [], pictures, skipped: [], codes };
  return (await readPageImage(kind === 'left out' ? withoutPart : read, given, 'eng')).page;
}

const read = await chooseEngine(await loadTesseract(), { engine, modelsFolder: options.models });
for (const kind of kinds) {
  let named = 0;
  const odd: number[] = [];
  for (let index = 0; index < Number(options.count); index += 1) {
    const seed = Number(options.from) + index;
    const made = makePage(seed);
    if (kind === 'slanted' || kind === 'mirrored') made.content = turnedPart(seed, kind);
    const page = await readMade(made, kind, read);
    if (page.unread !== undefined) named += 1;
    if ((page.unread !== undefined) === (kind === 'clean')) odd.push(seed);
  }
  console.log(
    `${kind}: ${named} of ${options.count} pages name a part${odd.length > 0 ? `; not as expected: ${odd.join(', ')}` : ''}`,
  );
}
process.exit(0);
