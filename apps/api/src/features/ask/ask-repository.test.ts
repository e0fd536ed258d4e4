import type { Document } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startChatTestBench, type ChatTestBench } from '../../testing/chat-test-bench.ts';
import type { ResultIndexRepository } from '../results/index.ts';
import { createAskRepositories } from './ask-repository.ts';
import { createAskResults, type AskResults } from './ask-results.ts';

let bench: ChatTestBench;
let ids: string[] = [];
beforeAll(async () => {
  bench = await startChatTestBench();
  const documents = [0, 1, 2].map((at) => ({
    name: `${at}.txt`,
    content: Buffer.from(`Note ${at}`).toString('base64'),
  }));
  const { body } = await bench.admin.post<{ documents: Document[] }>('./documents', { documents });
  ids = body.documents.map(({ id }) => id);
});
afterAll(async () => bench.stop());

/** Each document has a result of 40 characters. */
const index = {
  promptIds: async () => ['p'],
  countPending: async () => 0,
  async *entriesOf(_prompt: unknown, documentIds: readonly string[]) {
    yield documentIds.map((id) => ({
      document_id: new mongoose.Types.ObjectId(id),
      result: JSON.stringify({ text: 'x'.repeat(29) }),
      is_complete: true,
    }));
  },
} as unknown as ResultIndexRepository;
const resultsUpTo = (characters: number) => createAskResults(index, { catchUp: async () => undefined }, characters);
const repositoryOf = async (results: AskResults, document_ids: string[]) =>
  createAskRepositories(bench.connection, results)(bench.admin.organizationId, { document_ids });

it('leaves out a prompt whose results of named documents are too large, and reads those of fewer', async () => {
  const one = await repositoryOf(resultsUpTo(100), ids.slice(0, 1));
  expect(await one.promptIds()).toEqual(['p']);
  expect(one.characters()).toBe(0);
  expect(await one.results('p')).toHaveLength(1);
  expect(one.characters()).toBe(40);
  const three = await repositoryOf(resultsUpTo(100), ids);
  expect(await three.promptIds()).toEqual([]);
  expect(await three.size()).toMatchObject({ too_large: 1 });
  await expect(three.results('p')).rejects.toMatchObject({ code: 'scope_too_large' });
  expect(three.characters()).toBe(0);
});

it('leaves out prompts of named documents that are too large together, the one with most results first read', async () => {
  const sizes = { a: { count: 1, characters: 60 }, b: { count: 3, characters: 70 }, c: { count: 2, characters: 30 } };
  const results = {
    ...resultsUpTo(100),
    promptIds: async () => Object.keys(sizes),
    measure: async ({ promptId }: { promptId: string }) => sizes[promptId as keyof typeof sizes],
  };
  const repository = await repositoryOf(results, ids);
  expect(await repository.promptIds()).toEqual(['b', 'c']);
  expect(await repository.size()).toMatchObject({ too_large: 1 });
});

it('reads again what could not be read: the next call of the turn does not repeat the failure', async () => {
  const results = resultsUpTo(100);
  const failed = new Set<string>();
  const failOnce = (name: string) => {
    if (failed.has(name)) return;
    failed.add(name);
    throw new Error('The database did not answer.');
  };
  const repository = await repositoryOf(
    {
      ...results,
      async promptIds(organizationId) {
        failOnce('promptIds');
        return await results.promptIds(organizationId);
      },
      async measure(key, documentIds) {
        failOnce('measure');
        return await results.measure(key, documentIds);
      },
      async of(key, documentIds, kept) {
        failOnce('of');
        return await results.of(key, documentIds, kept);
      },
    },
    ids.slice(0, 1),
  );
  const noAnswer = 'did not answer';
  await expect(repository.promptIds()).rejects.toThrow(noAnswer);
  await expect(repository.promptIds()).rejects.toThrow(noAnswer);
  expect(await repository.promptIds()).toEqual(['p']);
  await expect(repository.results('p')).rejects.toThrow(noAnswer);
  expect(await repository.results('p')).toHaveLength(1);
});
