import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createPasswordPlaces } from './password-places.ts';

const flood = '203.0.113.1';

/** Places, with requests of one address that hash until they are told to end. */
function places(count: number) {
  const inTurn = createPasswordPlaces();
  const open: (() => void)[] = [];
  const refused: unknown[] = [];
  const work = () => new Promise<void>((resolve) => void open.push(resolve));
  const all = Array.from({ length: count }, () => inTurn(flood, work).catch((error: unknown) => refused.push(error)));
  return {
    inTurn,
    open,
    refused,
    async finish() {
      const ended = Promise.all(all).then(() => true);
      while (!(await Promise.race([ended, turn(false)]))) for (const end of open.splice(0)) end();
    },
  };
}

it('few requests of an address hash at once, others wait, and the rest learn when to come again', async () => {
  const at = places(1_000);
  await turn();
  expect(at.open).toHaveLength(2);
  expect(at.refused.length).toBeGreaterThan(900);
  expect(at.refused[0]).toMatchObject({
    kind: 'rate_limited',
    code: 'too_many_passwords',
    details: { retry_after_seconds: expect.any(Number) },
  });
  // Another address has a place although a thousand of this one want it.
  expect(await at.inTurn('203.0.113.2', async () => 'signed in')).toBe('signed in');
  await at.finish();
  expect(at.refused.length).toBeLessThan(1_000);
  expect(await at.inTurn(flood, async () => 'signed in')).toBe('signed in');
});

it('addresses of one IPv6 network count as one', async () => {
  const inTurn = createPasswordPlaces();
  let hashing = 0;
  const ends: (() => void)[] = [];
  const all = Array.from({ length: 60 }, (_, at) =>
    inTurn(`2001:db8::${at}`, () => {
      hashing += 1;
      return new Promise<void>((resolve) => void ends.push(resolve));
    }).catch(({ code }: { code: string }) => code),
  );
  await turn();
  expect(hashing).toBe(2);
  expect(await inTurn('2001:db8:0:1::1', async () => 'signed in')).toBe('signed in');
  const ended = Promise.all(all).then((answers) => answers.filter((answer) => answer === 'too_many_passwords').length);
  while (!(await Promise.race([ended.then(() => true), turn(false)]))) for (const end of ends.splice(0)) end();
  expect(await ended).toBe(10);
});

it('a failure gives its place back', async () => {
  const { inTurn } = places(0);
  for (let time = 0; time < 10; time += 1) {
    await expect(inTurn(flood, async () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  }
});
