import { expect, it } from 'vitest';
import { eachInSteps, inTurns } from './in-turns.ts';

function beBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it('works that follow each other share the slice of a turn', async () => {
  const done: string[] = [];
  await inTurns(eachInSteps([10], beBusy));
  setImmediate(() => done.push('other work'));
  await inTurns(eachInSteps(['the second work'], (name) => done.push(name)));
  expect(done).toEqual(['other work', 'the second work']);
});

it('two long works at once have a slice in each turn', async () => {
  const done: string[] = [];
  function* steps(name: string): Generator<void, void, undefined> {
    for (let count = 0; count < 4; count += 1) {
      beBusy(10);
      done.push(name);
      yield;
    }
  }
  await Promise.all(['a', 'b'].map((name) => inTurns(steps(name))));
  expect(done.indexOf('b')).toBeLessThan(3);
});
