import { expect, it, onTestFinished, vi } from 'vitest';
import {
  candidateOf,
  compareCandidates,
  drawnCandidateOf,
  RankedQueue,
  type QueueHead,
  type RankFilter,
  type Ranking,
} from './ranked-queue.ts';
import { packOpen } from './review-queue-model.ts';
import { selectCandidates, selectTagged } from './select-candidates.ts';

const filters: RankFilter[] = [
  {},
  { all: true },
  { prompt_id: 'p1' },
  { min_risk: 0.5, all: true },
  { reason: 'unusual' },
];

/** Numbers that look random and are the same in every run. */
function random(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

function headOf(below: (most: number) => number): QueueHead {
  const values = Array.from({ length: below(4) }, () => ({
    risk: below(10) / 10,
    reasons: below(3) === 0 ? (['unusual'] as const) : [],
    toCheck: below(2) === 0,
  }));
  const [document_id, prompt_id] = [`d${below(40)}`, `p${below(3)}`];
  return { document_id, prompt_id, prompt_revid: 'r', changes: 1, open: packOpen(values) };
}

const without = ({ sorted, values, documents }: Ranking) => ({ sorted, values, documents });

it('rankings that are kept through random changes equal those made anew', () => {
  const below = random(7);
  const queue = new RankedQueue();
  for (let change = 0; change < 600; change += 1) {
    const head = headOf(below);
    queue.set(`${head.document_id} ${head.prompt_id}`, below(3) === 0 ? undefined : head);
    for (const filter of filters) {
      const anew = new RankedQueue();
      for (const each of queue.heads) anew.set(`${each.document_id} ${each.prompt_id}`, each);
      expect(without(queue.rank(filter))).toEqual(without(anew.rank(filter)));
    }
  }
});

it('what is left out, drawn or narrowed is counted as if all documents were looked at', async () => {
  const below = random(11);
  for (let round = 0; round < 60; round += 1) {
    const queue = new RankedQueue();
    for (let at = 0; at < 60; at += 1) {
      const head = headOf(below);
      queue.set(`${head.document_id} ${head.prompt_id}`, head);
    }
    const some = (prefix: string, most: number, count: number) =>
      new Set(Array.from({ length: below(count + 1) }, () => `${prefix}${below(most)}`));
    const drawn = new Set([...some('d', 40, 6)].map((id) => `${id} p${below(3)}`));
    const filter = filters[round % filters.length]!;
    const narrowing = { ...filter, unlisted: some('d', 40, 6), pending: some('p', 3, 1), drawn };
    const tagged = some('d', 40, 30);
    // It is looked at again, in every other round after a change.
    for (const ids of [undefined, undefined, tagged, tagged, tagged]) {
      const selection = ids
        ? await selectTagged(queue, { ...narrowing, tagged: ids })
        : selectCandidates(queue, narrowing);
      const all = [...queue.heads]
        .filter(({ document_id: id }) => (ids === undefined || ids.has(id)) && !narrowing.unlisted.has(id))
        .filter(({ prompt_id }) => !narrowing.pending.has(prompt_id))
        .map((head) => {
          const isDrawn = drawn.has(`${head.document_id} ${head.prompt_id}`);
          return (isDrawn ? drawnCandidateOf : candidateOf)(head, narrowing);
        })
        .filter(({ count }) => count > 0)
        .toSorted(compareCandidates);
      expect([...selection.candidates()]).toEqual(all);
      const { documents, values, toAudit } = selection;
      expect({ documents, values, toAudit }).toEqual({
        documents: new Set(all.map(({ head }) => head.document_id)).size,
        values: all.reduce((count, candidate) => count + candidate.count - candidate.toAudit, 0),
        toAudit: all.reduce((count, candidate) => count + candidate.toAudit, 0),
      });
      for (const { head } of all) {
        const own = selection.ofDocument(head.document_id);
        expect(own).toEqual(all.filter((candidate) => candidate.head.document_id === head.document_id));
      }
      const changed = round % 2 === 0 ? headOf(below) : undefined;
      if (changed) queue.set(`${changed.document_id} ${changed.prompt_id}`, changed);
    }
  }
  // The slice of this turn ends before the next test sets the clock.
  await new Promise((resolve) => setImmediate(resolve));
});

it('a look after another one without a change looks at none of what is left out', () => {
  const queue = new RankedQueue();
  const below = random(5);
  for (let at = 0; at < 200; at += 1) queue.set(String(at), { ...headOf(below), document_id: `d${at}` });
  const unlisted = new Set(Array.from({ length: 150 }, (_, at) => `d${at}`));
  const narrowing = { unlisted, pending: new Set<string>(), drawn: new Set<string>() };
  const [one, risky] = [selectCandidates(queue, narrowing), selectCandidates(queue, { ...narrowing, min_risk: 0.5 })];
  const looks = vi.spyOn(queue, 'ofDocument');
  const again = selectCandidates(queue, { ...narrowing });
  expect([again.values, again.documents]).toEqual([one.values, one.documents]);
  expect(selectCandidates(queue, { ...narrowing, min_risk: 0.5 }).values).toBe(risky.values);
  expect(looks).not.toHaveBeenCalled();
  queue.set('199', undefined);
  selectCandidates(queue, narrowing);
  expect(looks).toHaveBeenCalled();
});

it('heads with thousands of different risks are put in order in steps', async () => {
  let looks = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (looks += 1));
  onTestFinished(() => clock.mockRestore());
  const queue = new RankedQueue();
  const heads = 3_000;
  for (let at = 0; at < heads; at += 1) {
    const open = packOpen([{ risk: at / 10_000, reasons: ['unusual'], toCheck: true }]);
    queue.set(String(at), { ...headOf(random(1)), document_id: `d${at}`, open });
  }
  await queue.prepare({});
  expect(looks).toBeGreaterThan(heads);
  expect(queue.rank({}).sorted[0]?.document_id).toBe(`d${heads - 1}`);
  // The last slice ends by the clock of this test.
  await new Promise((resolve) => setImmediate(resolve));
});

it('a ranking that is prepared while heads change equals one made anew, and keeps no other work waiting', async () => {
  // A slice ends after so many looks at the clock, however quick the machine is.
  let looks = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (looks += 1));
  onTestFinished(() => clock.mockRestore());
  const below = random(5);
  const queue = new RankedQueue();
  const change = () => {
    const head = { ...headOf(below), document_id: `d${below(20_000)}` };
    queue.set(`${head.document_id} ${head.prompt_id}`, below(3) === 0 ? undefined : head);
  };
  for (let at = 0; at < 60_000; at += 1) change();
  for (const filter of [{}, { prompt_id: 'p1', all: true }] as RankFilter[]) {
    let turns = 0;
    let isPrepared = false;
    const changeInTurns = () => {
      if (isPrepared) return;
      turns += 1;
      for (let at = 0; at < 5; at += 1) change();
      setImmediate(changeInTurns);
    };
    setImmediate(changeInTurns);
    await queue.prepare(filter);
    isPrepared = true;
    expect(turns).toBeGreaterThan(0);
    const anew = new RankedQueue();
    for (const each of queue.heads) anew.set(`${each.document_id} ${each.prompt_id}`, each);
    expect(without(queue.rank(filter))).toEqual(without(anew.rank(filter)));
  }
});
