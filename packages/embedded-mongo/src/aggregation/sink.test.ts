import { expect, test } from 'vitest';
import { Yielder } from '../event-loop/yielder.ts';
import { noVariables } from '../expression/scope.ts';
import { Storage } from '../storage/storage.ts';
import type { BsonDocument } from '../values/value.ts';
import { compileSink } from './sink.ts';

class CountingYielder extends Yielder {
  yields = 0;

  override get isDue(): boolean {
    return true;
  }

  override async yield(): Promise<void> {
    this.yields++;
  }
}

test('$merge yields between documents', async () => {
  const storage = new Storage(':memory:', 'off');
  const yielder = new CountingYielder();
  const documents = [1, 2, 3].map((id): BsonDocument => new Map([['_id', id]]));
  const merge = compileSink(new Map([['$merge', 'target']]), false)!;
  await merge(documents, { storage, db: 'test', yielder, variables: noVariables });
  expect(storage.find('test', 'target')!.count()).toBe(3);
  expect(yielder.yields).toBeGreaterThanOrEqual(3);
  storage.close();
});
