import type { ReviewReason } from '@docwright/contract';
import { eachInSteps, finish, inTurns, type Steps } from '../../platform/long-values/in-turns.ts';
import { countOpen } from './review-queue-model.ts';

/** A document of the queue, with the risks of its open values. */
export interface QueueHead {
  document_id: string;
  prompt_id: string;
  prompt_revid: string;
  changes: number;
  open: Buffer;
}

/** Which heads and which of their values are counted. */
export interface RankFilter {
  prompt_id?: string | undefined;
  reason?: ReviewReason | undefined;
  min_risk?: number | undefined;
  /** Counts open values that need no check as well. */
  all?: boolean | undefined;
}

/** A head with its number of matching values. */
export interface ReviewCandidate {
  head: QueueHead;
  count: number;
  /** Those of them that are listed for an audit alone. */
  toAudit: number;
  topRisk: number;
  /** Drawn for an audit: users see all of its values. */
  isDrawn: boolean;
}

/** All heads with a matching value, riskiest first. */
export interface Ranking {
  readonly sorted: readonly QueueHead[];
  readonly values: number;
  readonly documents: number;
}

interface KeptRanking extends Ranking {
  filter: RankFilter;
  sorted: QueueHead[];
  values: number;
  documents: number;
}

/** Each is an array of all heads. */
const maxRankings = 8;
/** Heads that are sorted in one step. */
const runLength = 500;
/** If a larger share of the heads changes at once, making a ranking anew costs less than moving them. */
const maxMovedShare = 0.02;

/**
 * The open heads of an organization, ranked for the filters that were asked for last: a change moves one head in each
 * ranking, so that a look costs what it shows. It changes in place: read it without waiting in between.
 */
export class RankedQueue {
  /** Grows with each change. */
  version = 0;
  readonly #heads = new Map<string, QueueHead>();
  readonly entries: Iterable<[string, QueueHead]> = this.#heads;
  readonly #byDocument = new Map<string, QueueHead[]>();
  readonly #byPrompt = new Map<string, Set<QueueHead>>();
  readonly #rankings = new Map<string, KeptRanking>();
  /** While a ranking is made: the heads, as they were when it began, of documents that have changed since. */
  #changedMeanwhile: Map<string, readonly QueueHead[]> | undefined;
  #preparing: Promise<unknown> = Promise.resolve();

  get size(): number {
    return this.#heads.size;
  }

  get heads(): Iterable<QueueHead> {
    return this.#heads.values();
  }

  ofDocument(id: string): readonly QueueHead[] {
    return this.#byDocument.get(id) ?? [];
  }

  ofPrompt(id: string): Iterable<QueueHead> {
    return this.#byPrompt.get(id) ?? [];
  }

  /** Replaces the head with this key, or removes it. */
  set(key: string, head: QueueHead | undefined): void {
    this.version += 1;
    const former = this.#heads.get(key);
    if (this.#changedMeanwhile) for (const each of [former, head]) if (each) this.#noteChange(each.document_id);
    if (former) this.#remove(key, former);
    if (head) this.#add(key, head);
  }

  /** Rankings are made anew if so many heads are about to change that moving each would take longer. */
  expectChanges(count: number): void {
    if (count > this.size * maxMovedShare) this.#rankings.clear();
  }

  /** Makes the ranking that `rank` returns, with turns for other work of the process in between; one at a time. */
  async prepare(filter: RankFilter): Promise<void> {
    const own = this.#preparing.then(() => this.#prepare(filter));
    this.#preparing = own.catch(() => undefined);
    await own;
  }

  /** The ranking, which is made at once if it is not prepared. */
  rank(filter: RankFilter): Ranking {
    const ranking = this.#rankings.get(keyOf(filter)) ?? finish(rankInSteps([...this.#headsFor(filter)], filter));
    return this.#keep(filter, ranking);
  }

  #headsFor({ prompt_id }: RankFilter): Iterable<QueueHead> {
    return prompt_id === undefined ? this.heads : this.ofPrompt(prompt_id);
  }

  async #prepare(filter: RankFilter): Promise<void> {
    if (this.#rankings.has(keyOf(filter))) return;
    const changed = new Map<string, readonly QueueHead[]>();
    this.#changedMeanwhile = changed;
    try {
      const ranking = await inTurns(rankInSteps([...this.#headsFor(filter)], filter));
      for (const [documentId, former] of changed) {
        const wasListed = former.map((head) => takeOut(ranking, head)).includes(true);
        const isListed = this.ofDocument(documentId)
          .map((head) => putIn(ranking, head))
          .includes(true);
        ranking.documents += Number(isListed) - Number(wasListed);
      }
      this.#keep(filter, ranking);
    } finally {
      this.#changedMeanwhile = undefined;
    }
  }

  #noteChange(documentId: string): void {
    const changed = this.#changedMeanwhile;
    if (changed && !changed.has(documentId)) changed.set(documentId, this.ofDocument(documentId));
  }

  #keep(filter: RankFilter, ranking: KeptRanking): KeptRanking {
    // The last one asked for is the last one to go.
    this.#rankings.delete(keyOf(filter));
    this.#rankings.set(keyOf(filter), ranking);
    for (const oldest of this.#rankings.keys()) if (this.#rankings.size > maxRankings) this.#rankings.delete(oldest);
    return ranking;
  }

  #add(key: string, head: QueueHead): void {
    for (const ranking of this.#rankings.values()) {
      const isFirst = !this.#hasMatch(head.document_id, ranking.filter);
      if (putIn(ranking, head) && isFirst) ranking.documents += 1;
    }
    this.#heads.set(key, head);
    const others = this.#byDocument.get(head.document_id);
    this.#byDocument.set(head.document_id, others ? [...others, head] : [head]);
    const ofPrompt = this.#byPrompt.get(head.prompt_id);
    this.#byPrompt.set(head.prompt_id, ofPrompt ? ofPrompt.add(head) : new Set([head]));
  }

  #remove(key: string, head: QueueHead): void {
    this.#heads.delete(key);
    const others = this.ofDocument(head.document_id).filter((other) => other !== head);
    if (others.length > 0) this.#byDocument.set(head.document_id, others);
    else this.#byDocument.delete(head.document_id);
    const ofPrompt = this.#byPrompt.get(head.prompt_id)!;
    ofPrompt.delete(head);
    if (ofPrompt.size === 0) this.#byPrompt.delete(head.prompt_id);
    for (const ranking of this.#rankings.values()) {
      if (takeOut(ranking, head) && !this.#hasMatch(head.document_id, ranking.filter)) ranking.documents -= 1;
    }
  }

  #hasMatch(documentId: string, filter: RankFilter): boolean {
    return this.ofDocument(documentId).some((head) => candidateOf(head, filter).count > 0);
  }
}

const keyOf = ({ prompt_id, reason, min_risk, all }: RankFilter): string =>
  JSON.stringify([prompt_id, reason, min_risk, all]);

function* rankInSteps(heads: readonly QueueHead[], filter: RankFilter): Steps<KeptRanking> {
  const { prompt_id, reason, min_risk, all } = filter;
  const candidates: ReviewCandidate[] = [];
  let values = 0;
  yield* eachInSteps(heads, (head) => {
    const candidate = candidateOf(head, filter);
    if (candidate.count === 0) return;
    candidates.push(candidate);
    values += candidate.count;
  });
  const sorted: QueueHead[] = [];
  const documents = new Set<string>();
  yield* eachInSteps(yield* sortInSteps(candidates), ({ head }) => {
    sorted.push(head);
    documents.add(head.document_id);
  });
  return { filter: { prompt_id, reason, min_risk, all }, sorted, values, documents: documents.size };
}

/** Riskiest first, each of up to 10,001 risks in a step. Most heads of one risk come in the order of their ids, as documents are added so. */
function* sortInSteps(candidates: readonly ReviewCandidate[]): Steps<readonly ReviewCandidate[]> {
  const byRisk = new Map<number, ReviewCandidate[]>();
  yield* eachInSteps(candidates, (candidate) => {
    const others = byRisk.get(candidate.topRisk);
    if (others) others.push(candidate);
    else byRisk.set(candidate.topRisk, [candidate]);
  });
  const sorted: ReviewCandidate[] = [];
  for (const [, own] of [...byRisk].sort(([a], [b]) => b - a)) {
    yield;
    let isSorted = true;
    yield* eachInSteps(own.keys(), (at) => {
      if (at > 0 && compareCandidates(own[at - 1]!, own[at]!) > 0) isSorted = false;
    });
    yield* eachInSteps(isSorted ? own : yield* mergedRuns(own), (candidate) => sorted.push(candidate));
  }
  return sorted;
}

/** Sorts short runs, and merges two of them at a time. */
function* mergedRuns(candidates: readonly ReviewCandidate[]): Steps<readonly ReviewCandidate[]> {
  let runs: ReviewCandidate[][] = [];
  for (let at = 0; at < candidates.length; at += runLength) {
    runs.push(candidates.slice(at, at + runLength).sort(compareCandidates));
    yield;
  }
  while (runs.length > 1) {
    const merged: ReviewCandidate[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* mergeInSteps(runs[at]!, runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeInSteps(one: readonly ReviewCandidate[], other: readonly ReviewCandidate[]): Steps<ReviewCandidate[]> {
  const merged: ReviewCandidate[] = [];
  for (let [at, atOther] = [0, 0]; at < one.length || atOther < other.length;) {
    const isOther = at === one.length || (atOther < other.length && compareCandidates(other[atOther]!, one[at]!) < 0);
    merged.push(isOther ? other[atOther++]! : one[at++]!);
    if (merged.length % runLength === 0) yield;
  }
  return merged;
}

/** Returns false if the head does not match. */
function putIn(ranking: KeptRanking, head: QueueHead): boolean {
  const candidate = candidateOf(head, ranking.filter);
  if (candidate.count === 0) return false;
  ranking.values += candidate.count;
  ranking.sorted.splice(placeOf(candidate, ranking), 0, head);
  return true;
}

/** Returns false if the head does not match. */
function takeOut(ranking: KeptRanking, head: QueueHead): boolean {
  const candidate = candidateOf(head, ranking.filter);
  if (candidate.count === 0) return false;
  ranking.values -= candidate.count;
  ranking.sorted.splice(ranking.sorted.indexOf(head, placeOf(candidate, ranking)), 1);
  return true;
}

/** A head that is not drawn for an audit. */
export function candidateOf(head: QueueHead, filter: RankFilter): ReviewCandidate {
  const isOther = filter.prompt_id !== undefined && head.prompt_id !== filter.prompt_id;
  const counted = isOther ? { count: 0, topRisk: 0 } : countOpen(head.open, filter);
  return { head, isDrawn: false, ...counted, toAudit: 0 };
}

/** A head of which all values are listed, because it was drawn for an audit. */
export function drawnCandidateOf(head: QueueHead, filter: RankFilter): ReviewCandidate {
  const asked = candidateOf(head, filter);
  const listed = candidateOf(head, { ...filter, all: true });
  return { ...listed, isDrawn: true, toAudit: listed.count - asked.count };
}

/** Drawn ones first, then the riskiest. */
export const compareCandidates = (a: ReviewCandidate, b: ReviewCandidate): number =>
  Number(b.isDrawn) - Number(a.isDrawn) || b.topRisk - a.topRisk || compareIds(a.head, b.head);

function compareIds(a: QueueHead, b: QueueHead): number {
  return a.document_id === b.document_id
    ? a.prompt_id.localeCompare(b.prompt_id)
    : a.document_id < b.document_id
      ? -1
      : 1;
}

/** The first place that the candidate does not come after. */
function placeOf(candidate: ReviewCandidate, { sorted, filter }: KeptRanking): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareCandidates(candidateOf(sorted[middle]!, filter), candidate) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
