import type { ReviewReason } from '@docwright/contract';
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

/**
 * The open heads of an organization, ranked for the filters that were asked for last: a change moves one head in each
 * ranking, so that a look costs what it shows. It changes in place: read it without waiting in between.
 */
export class RankedQueue {
  readonly #heads = new Map<string, QueueHead>();
  readonly #byDocument = new Map<string, QueueHead[]>();
  readonly #byPrompt = new Map<string, Set<QueueHead>>();
  readonly #rankings = new Map<string, KeptRanking>();

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
    const former = this.#heads.get(key);
    if (former) this.#remove(key, former);
    if (head) this.#add(key, head);
  }

  rank(filter: RankFilter): Ranking {
    const { prompt_id, reason, min_risk, all } = filter;
    const key = JSON.stringify([prompt_id, reason, min_risk, all]);
    const ranking = this.#rankings.get(key) ?? this.#rankAll({ prompt_id, reason, min_risk, all });
    // The last one asked for is the last one to go.
    this.#rankings.delete(key);
    this.#rankings.set(key, ranking);
    for (const oldest of this.#rankings.keys()) if (this.#rankings.size > maxRankings) this.#rankings.delete(oldest);
    return ranking;
  }

  #rankAll(filter: RankFilter): KeptRanking {
    const candidates: ReviewCandidate[] = [];
    let values = 0;
    for (const head of this.heads) {
      const candidate = candidateOf(head, filter);
      if (candidate.count === 0) continue;
      candidates.push(candidate);
      values += candidate.count;
    }
    const sorted = candidates.sort(compareCandidates).map(({ head }) => head);
    const documents = new Set(sorted.map(({ document_id }) => document_id)).size;
    return { filter, sorted, values, documents };
  }

  #add(key: string, head: QueueHead): void {
    for (const ranking of this.#rankings.values()) {
      const candidate = candidateOf(head, ranking.filter);
      if (candidate.count === 0) continue;
      ranking.values += candidate.count;
      if (!this.#hasMatch(head.document_id, ranking.filter)) ranking.documents += 1;
      ranking.sorted.splice(placeOf(candidate, ranking), 0, head);
    }
    this.#heads.set(key, head);
    this.#byDocument.set(head.document_id, [...this.ofDocument(head.document_id), head]);
    const ofPrompt = this.#byPrompt.get(head.prompt_id) ?? new Set();
    this.#byPrompt.set(head.prompt_id, ofPrompt.add(head));
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
      const candidate = candidateOf(head, ranking.filter);
      if (candidate.count === 0) continue;
      ranking.values -= candidate.count;
      if (!this.#hasMatch(head.document_id, ranking.filter)) ranking.documents -= 1;
      ranking.sorted.splice(ranking.sorted.indexOf(head, placeOf(candidate, ranking)), 1);
    }
  }

  #hasMatch(documentId: string, filter: RankFilter): boolean {
    return this.ofDocument(documentId).some((head) => candidateOf(head, filter).count > 0);
  }
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
