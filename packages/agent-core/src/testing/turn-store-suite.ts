import type { PendingTurn, TurnOwner } from '../turns/pending-turn.ts';
import type { TurnStore } from '../turns/turn-store.ts';

/** The functions of a test runner that the suite uses; those of vitest fit. */
interface SuiteRunner {
  readonly describe: (name: string, body: () => void) => void;
  readonly it: (name: string, body: () => Promise<void>) => void;
  readonly expect: (actual: unknown) => { toEqual(expected: unknown): void };
}

/** A store under test, with control over its clock. */
interface StoreUnderTest {
  readonly store: TurnStore;
  /** Advances the clock until all saved turns have expired. */
  readonly expireAll: () => Promise<void>;
}

const owner: TurnOwner = { organizationId: '1'.repeat(24), documentId: '2'.repeat(24), userId: '3'.repeat(24) };

/** A pending turn with a value in every field. */
export function samplePendingTurn(turnId: string, over: Partial<PendingTurn> = {}): PendingTurn {
  const call = { id: 'c'.repeat(24), name: 'write_note', arguments: '{"text":"ä\\n"}' };
  return {
    turnId,
    threadId: '4'.repeat(24),
    owner,
    settings: {
      model: 'm',
      mentions: [{ type: 'tag', id: '5'.repeat(24) }],
      autoApprove: false,
      autoApprovedTools: ['a'],
    },
    status: 'awaiting_approval',
    roundsUsed: 2,
    transcript: [
      { role: 'user', content: 'Go on.' },
      {
        role: 'assistant',
        content: '',
        model: 'm',
        toolCalls: [{ ...call, providerId: 'p.$1', extraContent: { google: { thought_signature: 's' } } }],
        reasoning: [
          { kind: 'thinking', text: 't', signature: 's' },
          { kind: 'redacted', data: 'd' },
        ],
      },
    ],
    historyLength: 1,
    workingState: { schema_revid: null, prompt_revid: '6'.repeat(24), extraction: { 'a.b': [1, null, { $c: 'd' }] } },
    executedRounds: [{ round_index: 0, text: 'x', tool_calls: [{ ...call, success: true, result: { n: 1.5 } }] }],
    batch: {
      calls: [{ ...call, effect: 'read_write', summary: 's', needs_approval: true }],
      refusals: {},
      baselines: { [call.id]: [{ thing: 'schema:1', name: 'schema “S”', state: { version: '1' } }] },
      executed: [],
    },
    text: 'May I?',
    usage: { prompt_tokens: 1, completion_tokens: 2, spu: 1, estimated: true },
    eventCount: 7,
    ...over,
  };
}

/** The tests that every TurnStore must pass. `make` creates an empty store. */
export function turnStoreSuite({ describe, it, expect }: SuiteRunner, make: () => Promise<StoreUnderTest>): void {
  const id = 'a'.repeat(24);
  const missing = { state: 'missing' };

  describe('turn store', () => {
    it('returns a turn unchanged, and keeps it until it is taken', async () => {
      const { store } = await make();
      const turn = samplePendingTurn(id);
      await store.save(turn);
      expect(await store.find(id, owner)).toEqual({ state: 'waiting', turn });
      expect(await store.find(id, owner)).toEqual({ state: 'waiting', turn });
      expect(await store.take(id, owner)).toEqual({ state: 'waiting', turn });
      expect(await store.find(id, owner)).toEqual(missing);
    });

    it('gives a turn to exactly one of many concurrent takers', async () => {
      const { store } = await make();
      await store.save(samplePendingTurn(id));
      const taken = await Promise.all(Array.from({ length: 20 }, () => store.take(id, owner)));
      expect(taken.filter(({ state }) => state === 'waiting').length).toEqual(1);
      expect(taken.filter(({ state }) => state === 'missing').length).toEqual(19);
    });

    it('hides a turn from everyone but its owner, and keeps it for the owner', async () => {
      const { store } = await make();
      await store.save(samplePendingTurn(id));
      for (const key of ['organizationId', 'documentId', 'userId'] as const) {
        const stranger = { ...owner, [key]: '9'.repeat(24) };
        expect(await store.find(id, stranger)).toEqual(missing);
        expect(await store.take(id, stranger)).toEqual(missing);
      }
      expect((await store.take(id, owner)).state).toEqual('waiting');
    });

    it('finds no unknown turn', async () => {
      const { store } = await make();
      expect(await store.take(id, owner)).toEqual(missing);
      expect(await store.take('', owner)).toEqual(missing);
    });

    it('replaces a turn with the same id', async () => {
      const { store } = await make();
      await store.save(samplePendingTurn(id));
      const later = samplePendingTurn(id, { roundsUsed: 5 });
      await store.save(later);
      expect(await store.take(id, owner)).toEqual({ state: 'waiting', turn: later });
      await store.save(later);
      expect((await store.take(id, owner)).state).toEqual('waiting');
    });

    it('reports an expired turn to its owner only', async () => {
      const { store, expireAll } = await make();
      await store.save(samplePendingTurn(id));
      await expireAll();
      expect(await store.find(id, owner)).toEqual({ state: 'expired' });
      expect(await store.take(id, owner)).toEqual({ state: 'expired' });
      expect(await store.take(id, { ...owner, userId: '9'.repeat(24) })).toEqual(missing);
    });
  });
}
