import { expect, it } from 'vitest';
import { auditedArguments, auditedText } from './audited-arguments.ts';

const audited = (value: unknown): unknown => JSON.parse(auditedArguments(JSON.stringify(value)).text);

it('does not change arguments without secrets', () => {
  const args = { name: 'Invoice', tag_ids: ['a'], metadata: { tokens: 5, note: 'Basic information on the bearer' } };
  expect(audited(args)).toEqual(args);
});

it.each([
  [{ metadata: { api_key: 'abc', Password: 'x', 'access token': 'y', deep: [{ clientSecret: 'z' }] } }],
  [{ content: 'Send sk-proj-0123456789abcdefghij to them' }],
  [{ content: 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz' }],
  [{ value: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl' }],
  [{ value: 'postgres://someone:hunter22@example.com/db' }],
])('redacts probable secrets: %j', (args) => {
  const text = JSON.stringify(audited(args));
  expect(text).toContain('[redacted]');
  expect(text).not.toMatch(/abc|:"[xyz]"|0123456789|eyJ|hunter22/);
});

it('limits the length, and always returns JSON', () => {
  const long = auditedArguments(JSON.stringify({ content: 'word '.repeat(20_000) }));
  expect(long.isPartial).toBe(true);
  expect(long.text.length).toBeLessThan(5_000);
  expect(JSON.parse(long.text)).toMatchObject({ truncated: { length: 100_014 } });
  const many = auditedArguments(
    JSON.stringify({ secret: 'x', rows: Array.from({ length: 40_000 }, (_, at) => `row ${at}`) }),
  );
  expect(many.isPartial).toBe(true);
  expect(JSON.parse(many.text)).toMatchObject({
    truncated: {
      length: 468_913,
      start: expect.stringMatching(/^\{"secret":"\[redacted\]","rows":\["row 0","row 1"/u),
    },
  });
  const secret = auditedArguments(JSON.stringify({ token: 'x'.repeat(40_000), name: 'Contoso' }));
  expect(JSON.parse(secret.text)).toMatchObject({ truncated: { start: '{"token":"[redacted]","name":"Contoso"}' } });
  expect(JSON.parse(auditedArguments('{"name": ').text)).toEqual({ unreadable: '{"name": ' });
  expect(auditedText('x'.repeat(5_000))).toHaveLength(2_000);
});

it.each(['postgres://someone:hunter22@example.com/db', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJodW50ZXIyMiJ9.c2ln'])(
  'shows no secret that a cut leaves without its end: %s',
  (secret) => {
    const cut = secret.slice(0, -16);
    const known = `dw-${'0'.repeat(31_995 - cut.length)} `;
    expect(auditedArguments(JSON.stringify({ content: `${known}${secret} and more` })).text).not.toContain(
      cut.slice(-10),
    );
  },
);
