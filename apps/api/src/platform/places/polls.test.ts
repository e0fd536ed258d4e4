import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { pollInTurn } from './polls.ts';

it('hundreds of streams of an organization read one after another, and another organization does not wait for them', async () => {
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const read = (organizationId: string) =>
    pollInTurn({ organizationId }, async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(1);
      running -= 1;
      order.push(organizationId);
    });
  const many = Array.from({ length: 100 }, async () => read('many'));
  await read('other');
  expect(order.length).toBeLessThan(10);
  await Promise.all(many);
  expect(most).toBe(2);
});

it('a read that fails gives its place back', async () => {
  const failing = async () =>
    pollInTurn({ organizationId: 'a' }, async () => {
      throw new Error('gone');
    });
  await expect(failing()).rejects.toThrow('gone');
  await expect(failing()).rejects.toThrow('gone');
  expect(await pollInTurn({ organizationId: 'a' }, async () => 1)).toBe(1);
});
