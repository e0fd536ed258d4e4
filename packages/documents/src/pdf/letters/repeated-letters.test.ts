import { expect, it } from 'vitest';
import type { Letters } from './letters.ts';
import { isRepeated, withRepeats } from './repeated-letters.ts';

/** Two text objects of the same letters, of which the second begins `shift` points further right. */
function twice(text: string, shift: number): Letters {
  const signs = Array.from(text + text);
  const x = signs.map((_, at) => (at % text.length) * 6 + (at < text.length ? 0 : shift));
  const style = { size: 10, direction: 'right', isUprightDown: false } as const;
  return {
    count: signs.length,
    code: Uint32Array.from(signs, (sign) => sign.codePointAt(0)!),
    latin: text + text,
    x0: Float32Array.from(x),
    y0: new Float32Array(signs.length),
    x1: Float32Array.from(x, (left) => left + 5),
    y1: new Float32Array(signs.length).fill(10),
    style: Int32Array.from(signs, (_, at) => (at < text.length ? 0 : 1)),
    styles: [style, style],
  };
}

const repeatsOf = (text: string, shift: number): string => {
  const letters = twice(text, shift);
  const found = withRepeats(letters, new Uint8Array(letters.count), Uint8Array.of(1, 1));
  return Array.from(text + text, (sign, at) => (found[at] === isRepeated ? '-' : sign)).join('');
};

it('marks letters that are drawn again, but no spaces, which keep words apart', () => {
  expect(repeatsOf('to a', 0.5)).toBe('to a-- -');
});

it('keeps letters that are further away than a shadow', () => {
  expect(repeatsOf('to a', 3)).toBe('to ato a');
});
