import { expect, it, vi } from 'vitest';
import { createParkedRuns } from './parked-runs.ts';
import type { ParkedRun } from './parked-run-repository.ts';

it('looks at every waiting run, however many wait, and one that fails holds up no other', async () => {
  const waiting = Array.from({ length: 7 }, (_, at): ParkedRun => ({
    id: String(at),
    organizationId: '1'.repeat(24),
    documentId: '2'.repeat(24),
    requestedBy: '3'.repeat(24),
    parkedTurn: String(at),
  }));
  const batches = [waiting.slice(0, 3), waiting.slice(3, 6), waiting.slice(6)];
  const ended: string[] = [];
  const log = { error: vi.fn<() => void>() };
  const parked = createParkedRuns({
    runs: {
      get: async () => undefined,
      requeue: async () => false,
      async waiting(after) {
        const at = after === undefined ? 0 : Number(after);
        return { runs: batches[at] ?? [], last: at + 1 < batches.length ? String(at + 1) : undefined };
      },
      async end(id) {
        if (id === '1') throw new TypeError('damaged');
        ended.push(id);
        return true;
      },
    },
    // Their conversations are gone.
    chat: { turnsOf: () => ({ get: async () => undefined }) } as never,
    wake: async () => undefined,
    onEnded: async () => undefined,
    log,
  });
  await parked.tidy();
  expect(ended).toEqual(['0', '2', '3', '4', '5', '6']);
  expect(log.error).toHaveBeenCalledTimes(1);
});
