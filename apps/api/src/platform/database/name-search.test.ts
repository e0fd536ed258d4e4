import { expect, test } from 'vitest';
import { hasInAnyCase, patternOf } from './name-search.ts';

test.each(['a.b*c', '(x|y)', '[z]{2}', '^$', 'back\\slash', 'ideographic　space', 'a b-c/d#e', '+?'])(
  '"%s" matches itself, with escapes that MongoDB knows',
  (text) => {
    expect(new RegExp(`^${patternOf(text)}$`, 'u').test(text)).toBe(true);
    expect(patternOf(text)).not.toMatch(/(?<!\\)\\[a-z]/i);
    expect(hasInAnyCase(text)).toEqual({ $regex: patternOf(text), $options: 'i' });
  },
);
