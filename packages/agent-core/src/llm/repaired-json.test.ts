import { expect, it } from 'vitest';
import { repairedJson } from './repaired-json.ts';

it.each([
  ['a string of JSON', '"{\\"a\\":\\"b\\"}"', { a: 'b' }],
  ['a trailing comma', '{"a":[1,2,],}', { a: [1, 2] }],
  ['a fence', '```json\n{"a":1}\n```', { a: 1 }],
  ['words around it', 'Here it is: {"a":1}. Anything else?', { a: 1 }],
  ['single quotes', "{'a': 'b'}", { a: 'b' }],
  ['Python words', '{"a": None, "b": True}', { a: null, b: true }],
])('repairs %s', (_, text, value) => {
  expect(JSON.parse(repairedJson(text) ?? 'null')).toEqual(value);
});

it.each([
  ['a cut object', '{"a":{"b":1}'],
  ['a cut text', '{"a":"b}'],
  ['two objects', '{"a":1,}{"b":2}'],
  ['a list', '[1,]'],
  ['no JSON', 'sorry'],
  ['nothing', ''],
])('adds nothing that was not written to %s', (_, text) => {
  expect(repairedJson(text)).toBeUndefined();
});

it('keeps the digits of numbers', () => {
  expect(repairedJson('{"a":12345678901234567890,}')).toContain('12345678901234567890');
});

it('takes no longer for hostile texts', () => {
  const start = performance.now();
  for (const text of ['{'.repeat(500_000), `{${'"a":1,'.repeat(100_000)}`, `${"{'".repeat(200_000)}}`])
    repairedJson(text);
  expect(performance.now() - start).toBeLessThan(5000);
});
