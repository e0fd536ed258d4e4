import { ObjectId } from 'mongodb';
import { expect, test } from 'vitest';
import { idOf, seededDocument } from './seed.ts';

test('made documents in the trash stay there: the start that is measured would remove them for good', () => {
  const id = String(new ObjectId());
  const owner = {
    organization_id: new ObjectId(),
    user: new ObjectId(),
    tagIds: [],
    prompt: { prompt_id: id, prompt_revid: id },
  };
  const made = Array.from({ length: 3_000 }, (_, index) => seededDocument(index, idOf(index), owner));
  const days = made.flatMap(({ deleted_at }) => {
    const at: unknown = deleted_at;
    return at instanceof Date ? [(Date.now() - at.getTime()) / 86_400_000] : [];
  });
  expect(days).toHaveLength(30);
  expect(Math.min(...days)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...days)).toBeLessThan(25);
});
