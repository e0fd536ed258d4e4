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
      exact: '{}',
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

it('has the results in the order of the ids of their documents, also if they were indexed in another order', async () => {
  const ofReversed = {
    ...index,
    entriesOf: (prompt: never, documentIds: readonly string[]) => index.entriesOf(prompt, documentIds.toReversed()),
  };
  const results = createAskResults(ofReversed, { catchUp: async () => undefined }, 1_000);
  const found = await (await repositoryOf(results, ids)).results('p');
  expect(found.map(({ document_id }) => document_id)).toEqual(ids);
});

it('leaves out prompts of named documents that are too large together, the one with most results first read', async () => {
  const sizes = { a: { count: 1, characters: 60 }, b: { count: 3, characters: 70 }, c: { count: 2, characters: 30 } };
  const results = {
    ...resultsUpTo(100),
    promptIds: async () => Object.keys(sizes),
    measure: async ({ promptId }: { promptId: string }) => sizes[promptId as keyof typeof sizes],
  };
  const repository = await repositoryOf(results, ids.slice(0, 1));
  // Also before anything else was read: it would take the room of the others.
  await expect(repository.results('a')).rejects.toMatchObject({ code: 'scope_too_large' });
  expect(repository.characters()).toBe(0);
  expect(await repository.promptIds()).toEqual(['b', 'c']);
  expect(await repository.size()).toMatchObject({ too_large: 1 });
});

/** Two prompts; each of the three documents has a result of 20 characters of both. */
function promptsInMemory(characters: number) {
  const changed: string[] = [];
  let stamp = 1;
  const entriesOf = (documentIds: readonly string[]) =>
    documentIds.map((id) => ({
      document_id: new mongoose.Types.ObjectId(id),
      result: JSON.stringify({ text: 'x'.repeat(9) }),
      exact: '{}',
      is_complete: true,
      indexed_at: new Date(),
    }));
  const stored = {
    ...index,
    promptIds: async () => ['a', 'b'],
    stamp: async () => stamp,
    newest: async () => new Date(),
    async *entries(_prompt: unknown, since?: Date) {
      yield entriesOf(since === undefined ? ids : changed);
    },
  } as unknown as ResultIndexRepository;
  return {
    results: createAskResults(stored, { catchUp: async () => undefined }, characters),
    change: (...documentIds: string[]) => {
      changed.push(...documentIds);
      stamp += 1;
    },
  };
}

it('leaves out prompts of all documents that are too large together, and refuses to read them', async () => {
  const { results } = promptsInMemory(100);
  const repository = await createAskRepositories(bench.connection, results)(bench.admin.organizationId, {});
  expect(await repository.promptIds()).toEqual(['a']);
  expect(await repository.size()).toMatchObject({ too_large: 1 });
  expect(await repository.results('a')).toHaveLength(3);
  await expect(repository.results('b')).rejects.toMatchObject({
    code: 'scope_too_large',
    message: expect.stringContaining('too large together'),
  });
});

it('counts results that are in memory for other questions too as its own once they are there no longer', async () => {
  const { results, change } = promptsInMemory(120);
  let { isKept } = results;
  const own: AskResults = { ...results, isKept: (...copy) => isKept(...copy) };
  const repository = await createAskRepositories(bench.connection, own)(bench.admin.organizationId, {});
  expect(await repository.promptIds()).toEqual(['a', 'b']);
  for (const id of ['a', 'b']) expect(await repository.results(id)).toHaveLength(3);
  expect(repository.characters()).toBe(0);
  change(ids[0]!);
  await results.get({ organizationId: bench.admin.organizationId, promptId: 'a' });
  expect(repository.characters()).toBe(20);
  isKept = ({ promptId }) => promptId === 'a';
  expect(repository.characters()).toBe(80);
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
