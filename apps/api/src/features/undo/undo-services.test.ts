import { DomainError, type AuditEntry, type UndoAnswer } from '@docwright/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { undoOfferedMs } from '../../turn-writes/turn-write-model.ts';
import type { TurnWrite } from '../../turn-writes/turn-write-repository.ts';
import { createUndoService } from './undo-service.ts';
import { createUndoWrite } from './write-undo-service.ts';
import type { UndoPlan } from './undo-plan.ts';

const now = undoOfferedMs + 1_000;
beforeEach(() => vi.setSystemTime(now));
afterEach(() => void vi.useRealTimers());

const member = { organizationId: 'o', userId: 'u', role: 'member' } as const;
const write: TurnWrite = { callId: 'c', tool: 'update_tag', kind: 'tag', recordId: 't', before: { a: 1 }, base: 0 };
const undone = [{ call_id: 'c', tool: 'update_tag' }];

/** One write of one record; every call of a dependency is in `log`. */
function fakes() {
  const log: unknown[][] = [];
  const undos = new Map<string, { plan: UndoPlan; answer: UndoAnswer | undefined }>();
  const state = { writes: [write], restores: async (): Promise<boolean> => true };
  const records = {
    writtenBy: async () => ({ id: 't', name: 'tag “T”', changes: 1 }),
    exists: async () => true,
    recordOf: async () => undefined,
    obstacles: async () => [],
    restore: async () => await state.restores(),
    revert: async () => true,
  };
  const dependencies = {
    writesOf: () => ({ ofTurns: async () => state.writes, ofCall: async () => write }) as never,
    undosOf: () => ({
      get: async (id: string) => undos.get(id),
      start: async (id: string, documentId: string | undefined, plan: UndoPlan) => {
        log.push(['start', id, documentId]);
        undos.set(id, { plan, answer: undefined });
        return plan;
      },
      drop: async (id: string) => void undos.delete(id),
      finish: async (id: string, plan: UndoPlan, answer: UndoAnswer) => {
        undos.set(id, { plan, answer });
        return answer;
      },
      forgetDocument: async () => undefined,
    }),
    recordsOf: new Proxy({}, { get: () => () => records }) as never,
    requireUnverified: async () => undefined,
  };
  return { log, undos, state, dependencies };
}

/** The code of the error, or `none`. */
const code = (failing: Promise<unknown>) =>
  failing.then(
    () => 'none',
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );

function undoOfTurn(turn: object = {}, over: object = {}) {
  const fake = fakes();
  const service = createUndoService({
    ...fake.dependencies,
    turnOf: async () =>
      ({
        id: 'turn',
        threadId: 'thread',
        status: 'completed',
        answer: undefined,
        createdAt: new Date(now),
        ...turn,
      }) as never,
    discardPending: async (...args) => void fake.log.push(['discard', ...args]),
    threadsOf: () =>
      ({
        get: async () => undefined,
        setState: async (...args: unknown[]) => void fake.log.push(['state', ...args]),
      }) as never,
    auditOf: () => ({ record: async (entries: unknown[]) => void fake.log.push(['audit', ...entries]) }) as never,
    workingStateAfter: async (_, before) => before,
    ...over,
  });
  return { ...fake, undo: () => service.undo(member, 'document', 'turn') };
}

it('audits each undone call of a turn with its arguments, if they are known', async () => {
  const rounds = [
    { tool_calls: [{ id: 'other', arguments: '{"x":1}' }] },
    { tool_calls: [{ id: 'c', arguments: '1' }] },
  ];
  const { undo, log } = undoOfTurn({ answer: { executed_rounds: rounds } });
  const nothing = { schema_revid: null, prompt_revid: null, extraction: null };
  expect(await undo()).toEqual({ undone, working_state: nothing });
  const owner = { organizationId: 'o', documentId: 'document', userId: 'u' };
  const place = { actor: 'u', documentId: 'document', threadId: 'thread', turnId: 'turn' };
  const entry = { ...place, kind: 'undone', callId: 'c', tool: 'update_tag', arguments: '1', success: true };
  expect(log).toEqual([
    ['discard', owner, 'turn'],
    ['start', 'turn', 'document'],
    ['audit', entry],
    ['state', 'thread', { working_state: nothing }],
  ]);
  const unknown = undoOfTurn({ answer: { executed_rounds: rounds.slice(0, 1) } });
  await unknown.undo();
  expect(unknown.log).toContainEqual(['audit', { ...entry, arguments: '{}' }]);
});

it('undoes a turn until exactly 30 days have passed, and finishes a started undo later too', async () => {
  const { undo, state, undos } = undoOfTurn({ createdAt: new Date(1_001) });
  state.restores = () => Promise.reject(new Error('killed'));
  expect(await code(undo())).toBe('Error: killed');
  expect(undos.size).toBe(1);
  state.restores = async () => true;
  vi.setSystemTime(now + 1);
  expect((await undo()).undone).toEqual(undone);
  const expired = undoOfTurn({ createdAt: new Date(1_001) }).undo();
  await expect(expired).rejects.toMatchObject({
    kind: 'gone',
    code: 'undo_expired',
    message: expect.stringContaining('A turn can be undone within 30 days'),
  });
});

it('drops the plan if a record has changed, so that the next attempt makes a new one', async () => {
  const { undo, state, undos } = undoOfTurn();
  state.restores = async () => false;
  expect(await code(undo())).toBe('changed_since');
  expect(undos.size).toBe(0);
});

it('explains how to end a running or pending turn, also one that was resumed meanwhile', async () => {
  const running = undoOfTurn({ status: 'running' }).undo();
  await expect(running).rejects.toThrow('A turn can be undone after it has ended. Stop it or wait until it ends.');
  const pending = undoOfTurn({ status: 'awaiting_approval', waitingUntil: new Date(now + 1) }).undo();
  await expect(pending).rejects.toThrow(
    'A turn can be undone after it has ended. Decide on its calls or stop it first.',
  );
  let reads = 0;
  const turnOf = async () => ({ id: 't', createdAt: new Date(now), status: (reads += 1) > 1 ? 'running' : 'failed' });
  expect(await code(undoOfTurn({}, { turnOf }).undo())).toBe('turn_not_ended');
});

const entryId = 'e'.repeat(24);
const entry = {
  id: entryId,
  at: new Date(now).toISOString(),
  kind: 'executed',
  actor: 'u',
  call_id: 'c',
  tool: 'update_tag',
  arguments: '{"name":"b"}',
  success: true,
  origin: { kind: 'api' },
} as AuditEntry;

function undoOfWrite(over: Partial<AuditEntry> = {}, dependencies: object = {}) {
  const fake = fakes();
  const handlers = new Map([
    ['accept_proposal', async (...args: unknown[]) => void fake.log.push(['handler', ...args.slice(1)])],
  ]);
  const undo = createUndoWrite({
    ...fake.dependencies,
    auditOf: () => ({
      get: async () => ({ ...entry, ...over }),
      record: async (entries) => void fake.log.push(['audit', ...entries]),
    }),
    trash: async (_, id) => void fake.log.push(['trash', id]),
    handlers,
    ...dependencies,
  });
  return { ...fake, undo: (actor: Parameters<typeof undo>[0] = member) => undo(actor, entryId) };
}

const audited = {
  actor: 'u',
  origin: { kind: 'api' },
  kind: 'undone',
  callId: 'c',
  tool: 'update_tag',
  arguments: '{"name":"b"}',
  success: true,
};

it('undoes a write under the id of its entry, and one of a run under the id of its call', async () => {
  const one = undoOfWrite({ document_id: 'd' });
  expect(await one.undo()).toEqual({ undone });
  expect(one.log).toEqual([
    ['start', entryId, 'd'],
    ['audit', { ...audited, documentId: 'd' }],
  ]);
  for (const kind of ['run', 'schedule'] as const) {
    const { undo, log } = undoOfWrite({ origin: { kind, id: 'r' } });
    await undo();
    expect(log).toEqual([
      ['start', 'c', undefined],
      ['audit', audited],
    ]);
  }
});

it('calls the handler of a decision that took effect', async () => {
  const tool = 'accept_proposal';
  for (const decision of ['approved', 'rejected'] as const) {
    const { undo, log } = undoOfWrite({ kind: 'decided', decision, tool, turn_id: 't', document_id: 'd' });
    expect(await undo()).toEqual({ undone: [{ call_id: 'c', tool }] });
    expect(log).toEqual([
      ['handler', expect.objectContaining({ decision })],
      ['audit', { ...audited, tool, documentId: 'd' }],
    ]);
  }
  const executed = undoOfWrite({ tool });
  await executed.undo();
  expect(executed.log.map(([name]) => name)).toEqual(['handler', 'audit']);
  for (const over of [
    { kind: 'decided', decision: 'asked' },
    { kind: 'proposed', decision: 'approved' },
    { success: false },
  ]) {
    expect(await code(undoOfWrite({ tool, ...over } as never).undo())).toBe('not_undoable');
  }
  const expired = undoOfWrite({ tool, at: new Date(1_000).toISOString() });
  expect(await code(expired.undo())).toBe('undo_expired');
  expect(expired.log).toEqual([]);
});

it('moves an upload to the trash, and accepts that it is there already', async () => {
  const upload = { tool: 'upload_document', document_id: 'd' };
  const { undo, log } = undoOfWrite(upload);
  expect(await undo()).toEqual({ undone: [{ call_id: 'c', tool: 'upload_document' }] });
  expect(log.map(([name]) => name)).toEqual(['trash', 'audit']);
  const failing = (thrown: Error) => {
    const trash = async () => {
      throw thrown;
    };
    return code(undoOfWrite(upload, { trash }).undo());
  };
  expect(await failing(new DomainError('not_found', 'document_not_found', 'Gone.'))).toBe('none');
  expect(await failing(new DomainError('conflict', 'changed_since', 'Changed.'))).toBe('changed_since');
  expect(await failing(new Error('down'))).toBe('Error: down');
  const unknown = undoOfWrite({ tool: 'upload_document' });
  await unknown.undo();
  expect(unknown.log.map(([name]) => name)).toEqual(['audit']);
  expect(await code(undoOfWrite({ ...upload, at: new Date(1_000).toISOString() }).undo())).toBe('undo_expired');
});

it('repeats the first answer, and drops the plan only if a record has changed', async () => {
  const { undo, state, undos, log } = undoOfWrite({ at: new Date(1_001).toISOString() });
  state.restores = async () => false;
  expect(await code(undo())).toBe('changed_since');
  expect(undos.size).toBe(0);
  state.restores = () => Promise.reject(new Error('killed'));
  expect(await code(undo())).toBe('Error: killed');
  expect(undos.size).toBe(1);
  state.restores = async () => true;
  vi.setSystemTime(now + 1);
  expect(await undo()).toEqual({ undone });
  state.restores = () => Promise.reject(new Error('not called'));
  expect(await undo()).toEqual({ undone });
  expect(log.filter(([name]) => name === 'audit')).toHaveLength(1);
  await expect(undoOfWrite({ at: new Date(1_000).toISOString() }).undo()).rejects.toMatchObject({
    kind: 'gone',
    code: 'undo_expired',
    message: expect.stringContaining('A write can be undone within 30 days'),
  });
});

it('explains why an entry cannot be undone', async () => {
  const reason = (over: Partial<AuditEntry>) => expect(undoOfWrite(over).undo()).rejects;
  await reason({ success: false }).toThrow('This entry cannot be undone by itself. It is not a successful write.');
  await reason({ kind: 'proposed' }).toThrow('It is not a successful write.');
  const ofTurn = undoOfWrite({ turn_id: 't' });
  ofTurn.state.writes = [];
  await expect(ofTurn.undo()).rejects.toThrow('It belongs to a turn: undo the turn, or its run.');
  const removed = undoOfWrite();
  removed.state.writes = [];
  await expect(removed.undo()).rejects.toThrow('The record was removed, or does not show this write any more.');
});

it('is for the author and for admins', async () => {
  const other = { ...member, userId: 'other' };
  expect(await code(undoOfWrite().undo(other))).toBe('audit_entry_not_found');
  expect(await code(undoOfWrite().undo({ ...other, role: 'admin' }))).toBe('none');
  expect(await code(undoOfWrite().undo({ ...member, role: 'viewer' }))).toBe('viewer_cannot_write');
  const missing = { auditOf: () => ({ get: async () => undefined }) };
  expect(await code(undoOfWrite({}, missing).undo())).toBe('audit_entry_not_found');
});
