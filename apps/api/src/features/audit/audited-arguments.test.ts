import { expect, it } from 'vitest';
import { auditedArguments, auditedText } from './audited-arguments.ts';

const kept = (value: unknown): unknown => JSON.parse(auditedArguments(JSON.stringify(value)).text);

it('keeps arguments as they are', () => {
  const args = { name: 'Invoice', tag_ids: ['a'], metadata: { tokens: 5, note: 'Basic information on the bearer' } };
  expect(kept(args)).toEqual(args);
});

it.each([
  [{ metadata: { api_key: 'abc', Password: 'x', 'access token': 'y', deep: [{ clientSecret: 'z' }] } }],
  [{ content: 'Send sk-proj-0123456789abcdefghij to them' }],
  [{ content: 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz' }],
  [{ value: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl' }],
  [{ value: 'postgres://someone:hunter22@example.com/db' }],
])('blacks out what looks like a secret: %j', (args) => {
  const text = JSON.stringify(kept(args));
  expect(text).toContain('[redacted]');
  expect(text).not.toMatch(/abc|:"[xyz]"|0123456789|eyJ|hunter22/);
});

it('bounds what it keeps, always as JSON', () => {
  const long = auditedArguments(JSON.stringify({ content: 'word '.repeat(20_000) }));
  expect(long.isPartial).toBe(true);
  expect(long.text.length).toBeLessThan(5_000);
  expect(JSON.parse(long.text)).toMatchObject({ truncated: { length: 100_014 } });
  expect(JSON.parse(auditedArguments('{"name": ').text)).toEqual({ unreadable: '{"name": ' });
  expect(auditedText('x'.repeat(5_000))).toHaveLength(2_000);
});
