import { expect, it } from 'vitest';
import { createRenderQueue } from './render-queue.ts';

it('renders few pages at a time, and thumbnails after all pages', () => {
  const queue = createRenderQueue(2);
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const request = (kind: 'page' | 'thumbnail', name: string) =>
    finish.set(
      name,
      queue.request(kind, () => started.push(name)),
    );
  for (const name of ['small 1', 'small 2', 'small 3']) request('thumbnail', name);
  for (const name of ['page 1', 'page 2', 'page 3']) request('page', name);
  expect(started).toEqual(['small 1', 'small 2']);
  finish.get('small 1')!();
  // Finishing a turn twice starts only one next turn.
  finish.get('small 1')!();
  expect(started.slice(2)).toEqual(['page 1']);
  // A withdrawn request never starts.
  finish.get('page 2')!();
  finish.get('page 1')!();
  expect(started.slice(3)).toEqual(['page 3']);
  finish.get('page 3')!();
  finish.get('small 2')!();
  expect(started.slice(4)).toEqual(['small 3']);
});
