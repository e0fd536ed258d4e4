import { decimalOf } from '@docwright/contract';
import { isPercent } from './number-form.ts';
import { numberReadings } from './number-readings.ts';
import { wordsPerStep, type PageIndex } from './page-index.ts';
import type { Place } from './place.ts';

/** The places of each number on the pages, by its canonical digits. */
export type NumberIndex = ReadonlyMap<string, readonly Place[]>;

/** Fit of a number with another sign, and of a percentage for a fraction. */
const otherSignFactor = 0.7;
const percentFactor = 0.8;
/** Between the groups of digits of a number, in heights of a word. */
const maxGroupGap = 0.6;
const maxGroups = 12;

export function* indexNumbers(index: PageIndex): Generator<void, NumberIndex, undefined> {
  const numbers = new Map<string, Place[]>();
  const add = (text: string, words: number[]): void => {
    for (const { digits, likelihood } of numberReadings(text)) {
      const key = decimalOf(digits);
      if (key === undefined) continue;
      const place: Place = { words, match: 'normalized', fit: likelihood };
      const known = numbers.get(key);
      if (known) known.push(place);
      else numbers.set(key, [place]);
    }
  };
  for (const [position, { word }] of index.words.entries()) {
    if (position % wordsPerStep === 0) yield;
    if (!/\d/.test(word.text)) continue;
    add(word.text, [position]);
    addGroups(index, position, add);
  }
  return numbers;
}

/** Adds a number whose thousands are separated by spaces, such as `1 234,56`. Its groups are words of their own. */
function addGroups(index: PageIndex, start: number, add: (text: string, words: number[]) => void): void {
  let text = index.words[start]!.word.text;
  if (!/(?:^|\D)\d{1,3}$/.test(text)) return;
  const words = [start];
  for (let position = start + 1; position < start + maxGroups; position += 1) {
    const last = index.words[position - 1]!;
    const next = index.words[position];
    if (!next || next.line !== last.line || !/^\d{3}(?:$|\D)/.test(next.word.text)) return;
    if (next.upright.x0 - last.upright.x1 > (last.upright.y1 - last.upright.y0) * maxGroupGap) return;
    text += ` ${next.word.text}`;
    words.push(position);
    add(text, [...words]);
    if (!/^\d{3}$/.test(next.word.text)) return;
  }
}

/** Places of a number in any notation, with another sign (credit notes print none), or as a percentage for a fraction. */
export function numberPlaces(index: PageIndex, numbers: NumberIndex, written: string): Place[] {
  const digits = decimalOf(written);
  if (digits === undefined) return [];
  const places = (numbers.get(digits) ?? []).map((place): Place => {
    const isExact = place.words.length === 1 && index.words[place.words[0]!]!.word.text === written;
    return isExact ? { ...place, match: 'exact', fit: 1 } : place;
  });
  const isZero = digits === '0';
  const otherSign = numbers.get(digits.startsWith('-') ? digits.slice(1) : `-${digits}`) ?? [];
  const percent = isZero ? [] : (numbers.get(percentOf(digits) ?? '') ?? []);
  return [
    ...places,
    ...(isZero ? [] : weaken(otherSign, otherSignFactor)),
    ...weaken(
      percent.filter(({ words }) => isPercent(index, words)),
      percentFactor,
    ),
  ];
}

function weaken(places: readonly Place[], factor: number): Place[] {
  return places.map((place) => ({ ...place, fit: place.fit * factor }));
}

/** A hundred times a number between -1 and 1; undefined for any other number. */
function percentOf(digits: string): string | undefined {
  const at = digits.indexOf('e');
  const [figures, exponent] = [digits.slice(0, at), Number(digits.slice(at + 1))];
  const isFraction = figures.replace('-', '').length + exponent <= 0;
  return isFraction ? `${figures}e${exponent + 2}` : undefined;
}
