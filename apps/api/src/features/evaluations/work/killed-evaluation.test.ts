import type { Evaluation } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { thisProcess } from '../../../platform/leases/process-identity.ts';
import { describeLeaseOfProcess } from '../../../platform/leases/testing/lease-suite.ts';
import {
  right,
  startEvaluationTestBench,
  trueResult,
  createVerifiedDocuments,
  type EvaluationTestBench,
} from '../../../testing/evaluation-test-bench.ts';
import { createVerifiedResultRepositories } from '../../extractions/records/verified-result-repository.ts';
import { createDataValidator } from '../../schemas/data-validator.ts';
import {
  createEvaluationWorkRepository,
  type EvaluationClaim,
  type EvaluationWorkRepository,
} from './evaluation-work-repository.ts';
import { createEvaluationWorker } from './evaluation-worker.ts';

/** A small sample in each test run. Run changes to evaluations with `EVALUATION_KILLS=100`. */
const kills = Number(process.env['EVALUATION_KILLS'] ?? 4);
const documentCount = 8;
/** The collections that evaluations write: their records, the usage, what is stored, and jobs of Agenda. */
const ownCollections = /^(evaluations|evaluation_documents|usage\w*|stored_bytes|jobs)$/u;

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(() => bench.stop());

const setInActive = async (fields: object) =>
  void (await bench.connection.collection('evaluations').updateMany({ active: true }, { $set: fields }));
const expireLeases = () => setInActive({ 'lease.until': new Date(0) });

describeLeaseOfProcess<EvaluationClaim>('an evaluation', async () => {
  const { client, prompt, documents } = await createVerifiedDocuments(bench, 1);
  // Evaluations of earlier tests must not be claimed.
  await bench.connection.collection('evaluations').updateMany({}, { $unset: { active: 1 } });
  await client.post('./evaluations', { prompt_id: prompt.prompt_id, content: 'New.' });
  const work = createEvaluationWorkRepository(bench.connection);
  return {
    async claim() {
      const claim = await work.claim();
      if (claim) await work.waiting(claim);
      return claim;
    },
    renew: async (claim) => (await work.renew(claim)).isHeld,
    write: (claim) => work.saveSpu(claim, documents[0]!, 1),
    release: (claim) => work.release(claim),
    expire: expireLeases,
    killHolder: () => setInActive({ 'lease.holder': { ...thisProcess, instance: 'killed' } }),
  };
});

it(
  `a worker that is killed ${kills} times never pays twice for a stored answer, and changes nothing else`,
  async () => {
    const { client, prompt } = await createVerifiedDocuments(bench, documentCount);
    await bench.connection.collection('evaluations').updateMany({}, { $unset: { active: 1 } });
    const before = await readOtherRecords(bench.connection);
    const random = randomNumbers(17);
    let killed = 0;
    while (killed < kills) {
      const events = watchModel(prompt.content);
      const body = { prompt_id: prompt.prompt_id, content: 'Badly.', baseline: 'run' };
      const created = await client.post<Evaluation>('./evaluations', body);
      expect(created.status, created.text).toBe(201);
      for (;;) {
        const died = await workUntil(killed < kills ? Math.floor(random() * 90) : Infinity, events);
        if (!died) break;
        killed += 1;
        await expireLeases();
      }
      const { body: ended } = await client.get<Evaluation>(`./evaluations/${created.body.id}`);
      expect(ended).toMatchObject({
        state: 'completed',
        documents: { total: documentCount, done: documentCount, failed: 0 },
        totals: { values: documentCount * 6, broken: documentCount, fixed: 0, accuracy_before: 1 },
        // One for each side of each document, however often it was started.
        spu_used: documentCount * 2,
      });
      expect(events.stored.size).toBe(documentCount * 2);
      expect(events.paidTwice).toEqual([]);
    }
    expect(await readOtherRecords(bench.connection)).toEqual(before);
  },
  30_000 + kills * 3_000,
);

interface Events {
  /** Stored answers, as `side document`. */
  stored: Set<string>;
  /** Stored answers that a model was asked for again. */
  paidTwice: string[];
}

/** A model that answers wrongly for any other prompt than `currentContent`, and records its requests. */
function watchModel(currentContent: string): Events {
  const events: Events = { stored: new Set(), paidTwice: [] };
  bench.answer(async (request) => {
    const isCurrent = request.prompt === currentContent;
    const answer = `${isCurrent ? 'before' : 'after'} ${request.document}`;
    if (events.stored.has(answer)) events.paidTwice.push(answer);
    return isCurrent ? right(request) : { ...trueResult(request.document), total: 0 };
  });
  return events;
}

/** Simulates a process that dies after `steps` steps, before or after a database operation. Returns whether it died. */
async function workUntil(steps: number, { stored }: Events): Promise<boolean> {
  let remaining = steps;
  let die = (): void => undefined;
  const died = new Promise<boolean>((resolve) => {
    die = () => resolve(true);
  });
  const step = async (): Promise<void> => {
    remaining -= 1;
    if (remaining >= 0) return;
    die();
    await new Promise(() => undefined);
  };
  const work = createEvaluationWorkRepository(bench.connection);
  const dyingRepository = Object.fromEntries(
    Object.entries(work).map(([name, method]) => [
      name,
      async (...args: never[]) => {
        await step();
        const result = await (method as (...args: never[]) => Promise<unknown>)(...args);
        if (name === 'saveAnswer') {
          const [, , answer] = args as unknown as Parameters<EvaluationWorkRepository['saveAnswer']>;
          const [[side, value] = []] = Object.entries(answer);
          stored.add(`${side} ${(value as { number: string }).number}`);
        }
        await step();
        return result;
      },
    ]),
  ) as unknown as EvaluationWorkRepository;
  const { artifacts, llmFor, identity } = bench.services;
  const worker = createEvaluationWorker({
    work: dyingRepository,
    verifiedOf: createVerifiedResultRepositories(bench.connection),
    documentsFor: artifacts.documents,
    schemasFor: artifacts.schemas,
    llmFor,
    validateData: createDataValidator(),
    examplesFor: artifacts.examplesFor,
    releaseEffect: async () => undefined,
    roleOf: identity.roleOf,
    log: { error: (fields) => expect.unreachable(String((fields as { err?: unknown }).err)) },
  });
  return await Promise.race([worker.work(new AbortController().signal).then(() => false), died]);
}

/** All records that evaluations must not change, without the stage of documents, which is stored a little later. */
async function readOtherRecords(connection: Connection): Promise<Record<string, unknown[]>> {
  const database = connection.db!;
  const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const all: Record<string, unknown[]> = {};
  for (const name of names.toSorted((a, b) => a.localeCompare(b))) {
    if (ownCollections.test(name)) continue;
    all[name] = await database
      .collection(name)
      .find({}, { projection: { stage: 0 } })
      .sort({ _id: 1 })
      .toArray();
  }
  expect(Object.keys(all)).toEqual(expect.arrayContaining(['documents', 'extractions', 'prompts']));
  return all;
}

/** A random number generator with a fixed seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
