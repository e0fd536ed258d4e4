import { expect, it } from 'vitest';
import { listUnread, type UnreadPart } from './unread.ts';

const attachments = (count: number): UnreadPart[] =>
  Array.from({ length: count }, (_, index) => ({ kind: 'attachment', name: `${index}.dwg`, message: 'Not read.' }));

it('lists fifty parts and counts the rest', () => {
  expect(listUnread(attachments(50))).toHaveLength(50);
  const listed = listUnread(attachments(63));
  expect(listed).toHaveLength(51);
  expect(listed.at(-1)).toEqual({ kind: 'other', message: '13 more parts were not read.' });
});

it('adds up lists that already count their rest', () => {
  const listed = listUnread([...listUnread(attachments(63)), ...listUnread(attachments(52))]);
  expect(listed).toHaveLength(51);
  expect(listed.at(-1)?.message).toBe('65 more parts were not read.');
});

it('cuts the name that a file chose', () => {
  const [part] = listUnread([{ kind: 'attachment', name: 'a'.repeat(5_000), message: 'Not read.' }]);
  expect(part?.name).toHaveLength(200);
});
