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

/** The Latin letter or digit, folded, that an outline draws as usual faces do. */
function letterDrawn(pdfium: Pdfium, contours: readonly Contour[]): string | undefined {
  const shape = shapeOf(contours);
  if (!shape) return undefined;
  let best: string | undefined;
  let bestLikeness = minOwnLikeness;
  for (const face of (loaded ??= loadFaces(pdfium))) {
    for (const folded of lettersOf.keys()) {
      for (const reference of face(folded)) {
        const alike = likeness(shape, reference, bestLikeness);
        if (alike <= bestLikeness) continue;
        best = folded;
        bestLikeness = alike;
      }
    }
  }
  return best;
}

/** More letters of a font are a sample of them. */
const maxForeign = 40;
/** A font with fewer letters that are unlike Latin ones is not judged. */
const minUnlike = 4;
/** Share of those letters. Every script has some that are drawn about like Latin ones. */
const minDrawnShare = 0.7;
const firstCode = 0xc0;
const letterOrDigit = /^[\p{L}\p{Nd}]$/u;
/** Letters that are a Latin one with an accent, or a Latin one by another code. */
const latin = /^[\dA-Za-z]/u;
/** Scripts that borrowed the shapes of Latin letters. */
const borrowed = /[\p{Script=Lisu}\p{Script=Cherokee}\p{Script=Coptic}\u1d00-\u1d7f]/u;
/** Letters that are drawn like Latin letters and digits in some faces: all Greek capitals, and others of several scripts. */
const alike = /[АБВГЕЗІЈКМНОПРСТУХЧЅЬабвгезіјклмнопрстухчѕьԁһԛԝΑ-ΩαβγεηικνορςστυχωՍՏՈՕԼսոօհգցզլքוןסıßøþ]/u;

/** A table that keeps to letters, but to those of another script, can be told from what the letters look like. */
export class ForeignLetters {
  private readonly codes = new Set<number>();

  /** Notes a letter that a page has in the font. */
  add(code: number): void {
    if (code >= firstCode && this.codes.size < maxForeign) this.codes.add(code);
  }

  /** The Latin letters that are drawn instead; empty if the font draws what its table says. `scratch` is 8 bytes of PDFium's memory. */
  drawnAsLatin(pdfium: Pdfium, font: number, scratch: number): Map<number, string> {
    const drawn = new Map<number, string>();
    const isUnlike = (code: number): boolean => !alike.test(String.fromCodePoint(code));
    const foreign = [...this.codes].filter(isForeign);
    const unlike = foreign.filter(isUnlike);
    if (unlike.length < minUnlike) return drawn;
    for (const code of foreign) {
      const contours = outlineOf(pdfium, font, code, scratch);
      const shown = contours && letterDrawn(pdfium, contours);
      if (shown !== undefined) drawn.set(code, shown);
    }
    const found = unlike.filter((code) => drawn.has(code)).length;
    return found < unlike.length * minDrawnShare ? new Map() : drawn;
  }
}

function isForeign(code: number): boolean {
  const text = String.fromCodePoint(code);
  return letterOrDigit.test(text) && !borrowed.test(text) && !latin.test(text.normalize('NFKD'));
}
