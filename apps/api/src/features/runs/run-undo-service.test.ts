import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { createRunUndoService, type RunUndoDependencies } from './run-undo-service.ts';

const step = { kind: 'tag', id: 't', name: 'tag', changes: {}, base: 1, firstCallId: 'c' };
const plan = { steps: [step], undone: [{ call_id: 'c', tool: 'create_tag' }] };

/** A worker that undoes one document, and loses its lease while it does what is named. */
async function undoWhoLoses(during: 'plan' | 'restore' | 'nothing') {
  let isHeld = true;
  const passes = async (what: string): Promise<void> => {
    if (what === during) isHeld = false;
    // Long enough for a renewal to be refused.
    await sleep(60);
  };
  const run = { id: 'r', organization_id: 'o', requested_by: 'u', undo: { requested_by: 'u' } };
  const claims = [{ run, token: 'mine' }];
  const written = vi.fn<(what: string) => void>();
  const writing = (what: string, answer?: unknown) => async () => {
    written(what);
    return answer;
  };
  const dependencies = {
    undos: {
      claim: async () => claims.shift(),
      renew: async () => isHeld,
      progress: writing('progress', true),
      finish: writing('finish'),
      release: writing('release'),
    },
    runs: {
      undoable: async () => [{ id: 'd', runId: 'r', documentId: 'x', kind: 'agent', state: 'completed', turnIds: [] }],
      setUndone: writing('set undone'),
      countUndone: async () => 1,
    },
    writesOf: () => ({ ofCall: async () => ({ before: null }) }),
    undosOf: () => ({
      async get() {
        await passes('plan');
        return { plan };
      },
      finish: writing('finish document'),
      drop: writing('drop'),
    }),
    auditOf: () => ({ record: writing('audit') }),
    recordsOf: {
      tag: () => ({
        async restore() {
          written('restore');
          await passes('restore');
          return true;
        },
      }),
    },
    renewEveryMs: 5,
    log: { error: () => undefined },
  };
  const service = createRunUndoService(dependencies as unknown as RunUndoDependencies);
  await service.work(new AbortController().signal);
  return written.mock.calls.flat();
}

it('undoes nothing when its lease is lost while a document is planned', async () => {
  expect(await undoWhoLoses('plan')).toEqual([]);
});

it('records nothing when its lease is lost while a document is restored: who has the lease does it', async () => {
  expect(await undoWhoLoses('restore')).toEqual(['restore']);
});

it('undoes and records what it holds, which shows that the tests above can fail', async () => {
  const done = ['restore', 'audit', 'finish document', 'set undone', 'progress', 'finish'];
  expect(await undoWhoLoses('nothing')).toEqual(done);
});

it('gives its place up after each turn, and tries what others block once the rest is undone', async () => {
  const entries = ['a', 'b', 'c'].map((id) => ({
    id,
    runId: 'r',
    documentId: `document ${id}`,
    kind: 'agent',
    // The first is blocked until another is undone.
    state: id === 'a' ? 'running' : 'completed',
    turnIds: [],
  }));
  const log: string[] = [];
  let pass: unknown;
  let isDone = false;
  const undone = new Set<string>();
  const dependencies = {
    undos: {
      claim: async () =>
        isDone || log.length > 20
          ? undefined
          : {
              run: { id: 'r', organization_id: 'o', requested_by: 'u', undo: { requested_by: 'u', pass } },
              token: 'mine',
            },
      renew: async () => true,
      progress: async () => true,
      async finish(_claim: unknown, conflicts: { document_id: string }[]) {
        isDone = true;
        log.push(`finished with ${conflicts.map(({ document_id }) => document_id).join()}`);
      },
      async release(_claim: unknown, left: unknown) {
        pass = structuredClone(left);
        log.push('released');
      },
    },
    runs: {
      undoable: async () => entries.filter(({ id }) => !undone.has(id)),
      async setUndone(_organizationId: string, id: string) {
        undone.add(id);
        log.push(`undid ${id}`);
      },
      countUndone: async () => undone.size,
    },
    writesOf: () => ({}),
    undosOf: () => ({ get: async () => ({ plan: { steps: [], undone: [] }, answer: {} }) }),
    turnMs: 0,
    log: { error: ({ err }: { err: Error }) => log.push(String(err)) },
  };
  await createRunUndoService(dependencies as unknown as RunUndoDependencies).work(new AbortController().signal);
  expect(log).toEqual(['released', 'undid b', 'released', 'undid c', 'released', 'finished with document a']);
});
