import { withMemory, type Pdfium } from '../file/pdfium.ts';
import { likeness, outlineOf, shapeOf, type Contour, type GlyphShape } from './glyph-shape.ts';

/** Faces of which PDFium has its own fonts. The usual ones come first. */
const faces = [
  'Helvetica',
  'Times-Roman',
  'Helvetica-Bold',
  'Times-Bold',
  'Courier',
  'Helvetica-Oblique',
  'Times-Italic',
  'Courier-Bold',
];
const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789');

/** A shape that is as like a letter is that letter, also if it is like others. */
const minOwnLikeness = 0.72;
/** A shape is another letter if it is as like that one, and more than it is like its own. */
const minOtherLikeness = 0.6;
const minMargin = 0.08;
/** With this margin it is no letter of an unusual face. */
const minSureMargin = 0.3;

/** The letter that is drawn for another one. */
export interface OtherLetter {
  /** Without what fonts do not tell apart. */
  letter: string;
  /** Whether it can be no unusual drawing of the other one. */
  isSure: boolean;
}

/** Capital and small letters have the same shape in some fonts, and so have these. */
const sameShapes: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', i: 'l', j: 'l' };

/** The letter, or the digit, without what fonts do not tell apart. */
export function foldShape(letter: string): string {
  const small = letter.toLowerCase();
  return sameShapes[small] ?? small;
}

const lettersOf = Map.groupBy(letters, foldShape);

/** A face with the shapes of its letters, each drawn when it is first asked for. */
type Face = (folded: string) => readonly GlyphShape[];

let loaded: Face[] | undefined;

/** The faces stay for as long as the thread has PDFium. */
function loadFaces(pdfium: Pdfium): Face[] {
  const { call } = pdfium;
  const document = call.FPDF_CreateNewDocument();
  return faces.map((face) => {
    let font: number | undefined;
    const load = (): number => {
      const name = Buffer.from(`${face}\0`);
      return withMemory(pdfium, name.length, (address) => {
        pdfium.bytes().set(name, address);
        return call.FPDFText_LoadStandardFont(document, address);
      });
    };
    const shapes = new Map<string, GlyphShape[]>();
    return (folded) => {
      const known = shapes.get(folded);
      if (known) return known;
      font ??= load();
      const drawn = withMemory(pdfium, 8, (scratch) =>
        (lettersOf.get(folded) ?? []).flatMap((letter) => {
          const contours = outlineOf(pdfium, font!, letter.charCodeAt(0), scratch);
          return (contours && shapeOf(contours)) ?? [];
        }),
      );
      shapes.set(folded, drawn);
      return drawn;
    };
  });
}

/** What was found for an outline and a character, since the pages of a file have the same fonts. */
const found = new Map<number, OtherLetter | undefined>();
const maxFound = 50_000;

/**
 * The letter that an outline of a font draws, if it is clearly another one than `code`. Undefined if it draws that letter, or none that is
 * known.
 */
export function otherLetter(pdfium: Pdfium, code: number, contours: readonly Contour[]): OtherLetter | undefined {
  const key = hashOf(code, contours);
  if (found.has(key)) return found.get(key);
  const shape = shapeOf(contours);
  const other = shape && unlikeLetter(pdfium, code, shape);
  if (found.size >= maxFound) found.clear();
  found.set(key, other);
  return other;
}

/** A number of 53 bits. */
function hashOf(code: number, contours: readonly Contour[]): number {
  let [one, other] = [code, contours.length];
  for (const contour of contours) {
    for (const value of contour) {
      const rounded = Math.round(value * 8);
      one = Math.imul(one ^ rounded, 0x01000193);
      other = Math.imul(other + rounded, 0x9e3779b1) ^ (other >>> 15);
    }
  }
  return (one >>> 0) * 0x20_0000 + (other >>> 11);
}

/** The letter that a shape is, if it is clearly another one than `code`. */
export function unlikeLetter(pdfium: Pdfium, code: number, shape: GlyphShape): OtherLetter | undefined {
  const own = foldShape(String.fromCharCode(code));
  const all = (loaded ??= loadFaces(pdfium));
  let ownLikeness = 0;
  for (const [at, face] of all.entries()) {
    for (const reference of face(own)) ownLikeness = Math.max(ownLikeness, likeness(shape, reference, ownLikeness));
    if (ownLikeness < minOwnLikeness) continue;
    // The next letter is probably of the same kind of face.
    if (at > 0) all.unshift(...all.splice(at, 1));
    return undefined;
  }
  let best: string | undefined;
  let bestLikeness = Math.max(minOtherLikeness, ownLikeness + minMargin);
  for (const face of all) {
    for (const folded of lettersOf.keys()) {
      if (folded === own) continue;
      for (const reference of face(folded)) {
        const alike = likeness(shape, reference, bestLikeness);
        if (alike <= bestLikeness) continue;
        best = folded;
        bestLikeness = alike;
      }
    }
  }
  return best === undefined ? undefined : { letter: best, isSure: bestLikeness >= ownLikeness + minSureMargin };
}
