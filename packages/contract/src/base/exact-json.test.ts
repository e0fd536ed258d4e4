import { expect, it } from 'vitest';
import { decimalOf, lostDigits, parseExactJson, parseJsonWithDigits, textsOfRoundedNumbers } from './exact-json.ts';

/** A generator of pseudo-random numbers from 0 to 1, so that a failure can be repeated. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

it('keeps the digits that a number would lose', () => {
  const json =
    '{"account":12345678901234567890,"rows":[{"rate":0.12345678901234567891},{"rate":0.5}],"n":9007199254740992}';
  expect(parseExactJson(json)).toEqual({
    value: { account: 12345678901234567000, rows: [{ rate: 0.12345678901234568 }, { rate: 0.5 }], n: 9007199254740992 },
    raw: { account: '12345678901234567890', 'rows.0.rate': '0.12345678901234567891' },
    unrepresentable: [],
  });
});

it('returns a number beyond the range as its text, never as null', () => {
  expect(parseExactJson('[1e400,-1e999,1e-400]')).toEqual({
    value: ['1e400', '-1e999', 0],
    raw: { 2: '1e-400' },
    unrepresentable: ['0', '1'],
  });
});

it('treats every other JSON as JSON.parse does', () => {
  for (const text of [
    '{"__proto__":{"a":12345678901234567890}}',
    '{"a":1,"a":2}',
    '"12345678901234567890"',
    '-0.0',
    '1E5',
  ]) {
    expect(JSON.stringify(parseExactJson(text).value)).toBe(JSON.stringify(JSON.parse(text)));
  }
  for (const text of ['', '{"a":12345678901234567890', '[1e5,]'])
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
});

it('loses no digit of 100,000 numbers of any length', () => {
  const random = mulberry32(7);
  const below = (limit: number) => Math.floor(random() * limit);
  const digits = (count: number) =>
    Array.from({ length: Math.ceil(count / 9) }, () => String(below(1e9)).padStart(9, '0'))
      .join('')
      .slice(0, count);
  const numbers = Array.from({ length: 100_000 }, () => {
    const whole = below(3) === 0 ? '0' : `${1 + below(9)}${digits(below(40))}`;
    const fraction = below(2) === 0 ? '' : `.${digits(1 + below(30))}`;
    const exponent = below(4) === 0 ? `e${below(2) === 0 ? '-' : '+'}${below(200)}` : '';
    return `${below(2) === 0 ? '-' : ''}${whole}${fraction}${exponent}`;
  });
  const { value, raw } = parseExactJson(`[${numbers.join(',')}]`);
  const wrong = numbers.filter((text, at) => {
    const kept = raw[at] ?? String((value as number[])[at]);
    return decimalOf(kept) !== decimalOf(text);
  });
  expect(wrong).toEqual([]);
});

it('gives a program the digits of numbers that JavaScript would round as texts', () => {
  expect(parseJsonWithDigits('{"a":12345678901234567890,"b":[1e400,5,0.1]}')).toEqual({
    a: '12345678901234567890',
    b: ['1e400', 5, 0.1],
  });
  expect(() => parseJsonWithDigits('{')).toThrow(SyntaxError);
});

it('names the number that loses digits, but not one that a program wrote with 17 of them', () => {
  const lost = (text: string) => lostDigits(parseExactJson(text));
  expect(lost('{"a":[1,12345678901234567891]}')).toMatch(/^a\.1 is 12345678901234567891, a number that would lose/);
  expect(lost('{"a":-1e999}')).toMatch(/^a is a number beyond the range/);
  expect(lost('{"a":0.10000000000000001,"b":1.2345678901234567e+20,"c":0.5}')).toBeUndefined();
  expect(lost('{"a":0.100000000000000010}')).toBeUndefined();
  expect(lost('{"a":0.100000000000000013}')).toMatch(/^a is 0.100000000000000013/);
  // Two places can have the same path.
  expect(lost('{"a.b":12345678901234567891,"a":{"b":0.10000000000000001}}')).toMatch(/^a\.b is 12345678901234567891/);
  expect(lost('{"a":{"b":0.10000000000000001},"a.b":12345678901234567891}')).toMatch(/^a\.b is 12345678901234567891/);
  expect(lost('{"__proto__":12345678901234567891}')).toMatch(/^__proto__ is 12345678901234567891/);
});

it('finds the texts that are numbers which JavaScript would round', () => {
  const digits = '12345678901234567890';
  const value = { rows: [{ a: digits, b: '5', c: 'INV 12345678901234567890', d: `0${digits}` }], e: `-${digits}.5` };
  expect([...textsOfRoundedNumbers(value, '')]).toEqual([
    ['rows.0.a', digits],
    ['e', `-${digits}.5`],
  ]);
  expect([...textsOfRoundedNumbers(digits, 'total')]).toEqual([['total', digits]]);
  for (const other of ['1e400', '9007199254740992', '0.1', '', '-', '9'.repeat(20_000)])
    expect(textsOfRoundedNumbers(other, 'total').size).toBe(0);
});
