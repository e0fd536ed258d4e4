import { expect, it } from 'vitest';
import {
  changePart,
  moveStart,
  obstacleOf,
  proposedParts,
  readParts,
  splitBodyOf,
  toggleStart,
  type SplitPart,
} from './split-parts.ts';

const proposed = [
  {
    name: 'Invoice (1)',
    pages: [[1, 2]] as [number, number][],
    reason: 'The file starts here.',
    probability: 1,
    inner_probability: 0,
  },
  {
    name: 'Invoice (2)',
    pages: [[3, 3]] as [number, number][],
    reason: 'The page numbers start again.',
    probability: 0.9,
    inner_probability: 0,
  },
  {
    name: 'Letter (3)',
    pages: [[4, 6]] as [number, number][],
    reason: 'It has a title: letter.',
    probability: 0.7,
    inner_probability: 0.1,
  },
];
const parts = proposedParts(proposed);
const starts = (some: readonly SplitPart[]) => some.map(({ from }) => from);

it('adds and removes starts; a proposed start keeps its name, and page 1 always starts a document', () => {
  const less = toggleStart(parts, 3, proposed, 'scan');
  expect(starts(less)).toEqual([1, 4]);
  expect(toggleStart(less, 3, proposed, 'scan')[1]).toMatchObject({ from: 3, name: 'Invoice (2)' });
  expect(toggleStart(parts, 5, proposed, 'scan')[3]).toMatchObject({ from: 5, name: 'scan (4)' });
  expect(starts(toggleStart(parts, 1, proposed, 'scan'))).toEqual([1, 3, 4]);
});

it('moves a start between its neighbours', () => {
  expect(starts(moveStart(parts, 4, 6, 6))).toEqual([1, 3, 6]);
  expect(starts(moveStart(parts, 4, 1, 6))).toEqual([1, 3, 4]);
  expect(starts(moveStart(parts, 3, 99, 6))).toEqual([1, 3, 4]);
  expect(starts(moveStart(parts, 1, 2, 6))).toEqual([1, 3, 4]);
});

it('makes the request body without excluded parts', () => {
  const named = changePart(changePart(parts, 3, { is_left_out: true }), 4, { name: ' Offer ', tag_ids: ['t'] });
  expect(splitBodyOf(named, 6)).toEqual({
    parts: [
      { name: 'Invoice (1)', pages: [[1, 2]] },
      { name: 'Offer', pages: [[4, 6]], tag_ids: ['t'] },
    ],
  });
  expect(obstacleOf(named)).toBeUndefined();
  expect(obstacleOf(changePart(parts, 1, { name: ' ' }))).toBe('Name each document.');
  expect(obstacleOf(parts.map((part) => ({ ...part, is_left_out: true })))).toBe('Every page is left out.');
});

it('uses stored parts only if they fit the document', () => {
  const stored = JSON.stringify(parts);
  expect(readParts(stored, 6)).toEqual(parts);
  expect(readParts(stored, 3)).toBeUndefined();
  for (const bad of [null, '', '{', '[]', '[null]', '[{"from":2}]', '{"a":1}'])
    expect(readParts(bad, 6)).toBeUndefined();
});
