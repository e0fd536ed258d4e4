import { eachInSteps, inTurns } from '../../platform/long-values/in-turns.ts';
import {
  candidateOf,
  compareCandidates,
  drawnCandidateOf,
  type ReviewCandidate,
  type QueueHead,
  type RankedQueue,
  type RankFilter,
} from './ranked-queue.ts';

export interface Narrowing extends RankFilter {
  document_id?: string | undefined;
  /** Only these documents. */
  tagged?: ReadonlySet<string> | undefined;
  unlisted: ReadonlySet<string>;
  /** Prompts whose values are left out. */
  pending: ReadonlySet<string>;
  /** Documents of the audit samples, as `document prompt`. */
  drawn: ReadonlySet<string>;
}

/** What matches in a queue, as long as it does not change. */
export interface QueueSelection {
  /** Drawn ones first, then the riskiest. */
  candidates(): Iterable<ReviewCandidate>;
  ofDocument(id: string): readonly ReviewCandidate[];
  documents: number;
  values: number;
  toAudit: number;
}

/** The documents that match. After a change it costs what is left out and drawn, unless it is narrowed to a document. */
export function selectCandidates(queue: RankedQueue, narrowing: Narrowing): QueueSelection {
  const { document_id } = narrowing;
  const matching = matchingIn(narrowing);
  const ofDocument = (id: string) => matching(queue.ofDocument(id));

  if (document_id !== undefined) {
    const all = matching(queue.ofDocument(document_id));
    return { candidates: () => all, ofDocument, ...countsOf(all) };
  }

  const ranking = queue.rank(narrowing);
  const { first, without, documents, values, toAudit } = leftOut(queue, narrowing);
  return {
    *candidates() {
      yield* first;
      for (const head of ranking.sorted) if (!without.has(head)) yield candidateOf(head, narrowing);
    },
    ofDocument,
    documents: ranking.documents + documents,
    values: ranking.values + values,
    toAudit,
  };
}

/** What a ranking has that is not shown in its place, and by how much that changes its counts. */
interface LeftOut {
  version: number;
  narrowing: Narrowing;
  /** Those that are drawn. */
  first: readonly ReviewCandidate[];
  without: ReadonlySet<QueueHead>;
  documents: number;
  values: number;
  toAudit: number;
}

/** As many as a queue has rankings. */
const maxLeftOut = 8;
/** The last ones of each queue: tens of thousands of documents can be unlisted, and most looks follow one without a change. */
const lastLeftOut = new WeakMap<RankedQueue, LeftOut[]>();

function leftOut(queue: RankedQueue, narrowing: Narrowing): LeftOut {
  const known = lastLeftOut.get(queue)?.filter(({ version }) => version === queue.version) ?? [];
  const last = known.find((each) => selectSame(each.narrowing, narrowing));
  if (last !== undefined) return last;
  const { unlisted, pending, drawn } = narrowing;
  const matching = matchingIn(narrowing);
  const drawnHeads = headsDrawn(queue, drawn);
  const first = matching(drawnHeads);
  const without = new Set(drawnHeads);
  for (const id of pending) for (const head of queue.ofPrompt(id)) without.add(head);
  for (const id of unlisted) for (const head of queue.ofDocument(id)) without.add(head);
  const isRanked = (head: QueueHead) => candidateOf(head, narrowing).count > 0;
  let values = sum(first.map(({ count, toAudit }) => count - toAudit));
  for (const head of without) values -= candidateOf(head, narrowing).count;
  let documents = 0;
  for (const id of new Set([...without].map((head) => head.document_id))) {
    const heads = queue.ofDocument(id);
    documents += Number(matching(heads).length > 0) - Number(heads.some(isRanked));
  }
  const found = {
    version: queue.version,
    narrowing,
    first,
    without,
    documents,
    values,
    toAudit: sum(first.map(({ toAudit }) => toAudit)),
  };
  lastLeftOut.set(queue, [found, ...known].slice(0, maxLeftOut));
  return found;
}

interface TaggedHeads {
  version: number;
  narrowing: Narrowing;
  /** Those that are not drawn, riskiest first. */
  heads: readonly QueueHead[];
  documents: ReadonlySet<string>;
  values: number;
}

/** The last ones of each queue: most looks follow one with the same filter, without a change between them. */
const lastTagged = new WeakMap<RankedQueue, TaggedHeads>();

/** The same for the documents of a set, in steps: each head of the queue is looked at, as it was at the beginning. */
export async function selectTagged(
  queue: RankedQueue,
  narrowing: Narrowing & { tagged: ReadonlySet<string> },
): Promise<QueueSelection> {
  const matching = matchingIn(narrowing);
  const first = matching(headsDrawn(queue, narrowing.drawn));
  const drawn = countsOf(first);
  const tagged = await taggedHeads(queue, narrowing);
  const alsoDrawn = new Set(first.map(({ head }) => head.document_id)).difference(tagged.documents);
  return {
    *candidates() {
      yield* first;
      for (const head of tagged.heads) yield candidateOf(head, narrowing);
    },
    ofDocument: (id) => matching(queue.ofDocument(id)),
    documents: tagged.documents.size + alsoDrawn.size,
    values: tagged.values + drawn.values,
    toAudit: drawn.toAudit,
  };
}

async function taggedHeads(
  queue: RankedQueue,
  narrowing: Narrowing & { tagged: ReadonlySet<string> },
): Promise<TaggedHeads> {
  const last = lastTagged.get(queue);
  if (last?.version === queue.version && selectSame(last.narrowing, narrowing)) return last;
  const { tagged, unlisted, pending, drawn } = narrowing;
  const { version } = queue;
  const drawnHeads = headsDrawn(queue, drawn);
  const heads: QueueHead[] = [];
  const documents = new Set<string>();
  let values = 0;
  await inTurns(
    eachInSteps(queue.rank(narrowing).sorted.slice(), (head) => {
      const { document_id, prompt_id } = head;
      if (!tagged.has(document_id) || unlisted.has(document_id) || pending.has(prompt_id)) return;
      if (drawnHeads.has(head)) return;
      heads.push(head);
      documents.add(document_id);
      values += candidateOf(head, narrowing).count;
    }),
  );
  const found = { version, narrowing, heads, documents, values };
  lastTagged.set(queue, found);
  return found;
}

/** The sets of ids never change: another read gives another set. */
const selectSame = (one: Narrowing, other: Narrowing): boolean =>
  one.tagged === other.tagged &&
  one.unlisted === other.unlisted &&
  one.prompt_id === other.prompt_id &&
  one.reason === other.reason &&
  one.min_risk === other.min_risk &&
  one.all === other.all &&
  one.pending.symmetricDifference(other.pending).size === 0 &&
  one.drawn.symmetricDifference(other.drawn).size === 0;

const headsDrawn = (queue: RankedQueue, drawn: ReadonlySet<string>): Set<QueueHead> =>
  new Set(
    [...drawn].flatMap((key) =>
      queue.ofDocument(key.split(' ')[0]!).filter((head) => key === `${head.document_id} ${head.prompt_id}`),
    ),
  );

/** The candidates among heads, drawn ones first, then the riskiest. */
function matchingIn(narrowing: Narrowing): (heads: Iterable<QueueHead>) => ReviewCandidate[] {
  const { document_id, tagged, unlisted, pending, drawn } = narrowing;
  const isWanted = ({ document_id: id, prompt_id }: QueueHead) =>
    (document_id === undefined || id === document_id) &&
    (tagged === undefined || tagged.has(id)) &&
    !pending.has(prompt_id) &&
    !unlisted.has(id);
  const isDrawn = (head: QueueHead) => drawn.has(`${head.document_id} ${head.prompt_id}`);
  return (heads) =>
    [...heads]
      .filter(isWanted)
      .map((head) => (isDrawn(head) ? drawnCandidateOf : candidateOf)(head, narrowing))
      .filter(({ count }) => count > 0)
      .sort(compareCandidates);
}

const countsOf = (all: readonly ReviewCandidate[]) => ({
  documents: new Set(all.map(({ head }) => head.document_id)).size,
  values: sum(all.map(({ count, toAudit }) => count - toAudit)),
  toAudit: sum(all.map(({ toAudit }) => toAudit)),
});

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
