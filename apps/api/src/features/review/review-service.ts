import { fieldOf, isFieldOf } from '@docwright/review';
import type {
  FailedCheck,
  ReviewDecision,
  ReviewItem,
  ReviewOutcome,
  ReviewQueueQuery,
  ReviewQueue,
} from '@docwright/contract';
import type { ExtractionService } from '../extractions/index.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import { embeddedOf, type ReviewReader, reviewedValues, type ReviewRules } from '../value-risk/index.ts';
import type { QueueUpdater } from './queue-updater.ts';
import type { ReviewLeases } from './review-lease-repository.ts';
import { compareCandidates, type ReviewCandidate } from './ranked-queue.ts';
import type { ReviewQueueRepository } from './review-queue-repository.ts';
import type { ReviewedResult, ReviewedResults } from './reviewed-result-repository.ts';
import { selectCandidates, selectTagged, sum, type QueueSelection } from './select-candidates.ts';

interface ReviewServiceDependencies {
  queueOf: (organizationId: string) => ReviewQueueRepository;
  leasesOf: (organizationId: string) => ReviewLeases;
  readerOf: (organizationId: string) => ReviewReader;
  results: ReviewedResults;
  /** Documents of the audit samples of release policies, as `document prompt`. */
  drawn: (organizationId: string) => Promise<ReadonlySet<string>>;
  updater: Pick<QueueUpdater, 'catchUp' | 'update'>;
  namesOf: (organizationId: string, ids: readonly string[]) => Promise<Map<string, string>>;
  extractions: (actor: Actor) => Pick<ExtractionService, 'decide'>;
}

/** The values to check of one organization, for one user. */
export type ReviewService = ReturnType<typeof reviewServiceFor>;

/** Attempts to read a consistent queue while results are written; the last one is returned as it is. */
const maxAttempts = 5;

export function createReviewService(dependencies: ReviewServiceDependencies): (actor: Actor) => ReviewService {
  return (actor) => reviewServiceFor(actor, dependencies);
}

function reviewServiceFor(actor: Actor, dependencies: ReviewServiceDependencies) {
  const { results, updater, namesOf } = dependencies;
  const { organizationId, userId } = actor;
  const queue = dependencies.queueOf(organizationId);
  const leases = dependencies.leasesOf(organizationId);
  const reader = dependencies.readerOf(organizationId);

  /** What to leave out, and the queue, which changes in place. */
  async function narrowed(query: ReviewQueueQuery) {
    const { prompt_id, tag_id, document_id } = query;
    const [heads, unlisted, tagged, drawn, pending] = await Promise.all([
      queue.heads(),
      // Who names a document asks for it.
      results.unlisted[document_id === undefined ? 'all' : 'trashed'](organizationId),
      tag_id === undefined ? undefined : results.withTag(organizationId, tag_id),
      dependencies.drawn(organizationId),
      // Prompts of pending proposals are listed only on request.
      prompt_id === undefined ? results.pendingPrompts(organizationId) : new Set<string>(),
    ]);
    if (document_id === undefined) await heads.prepare(query);
    return { heads, narrowing: { ...query, unlisted, tagged, drawn, pending } };
  }

  async function itemsOf(
    shown: readonly ReviewCandidate[],
    query: ReviewQueueQuery,
  ): Promise<{ items: ReviewItem[]; isStale: boolean }> {
    const heads = shown.map(({ head }) => head);
    const names = await namesOf(
      organizationId,
      heads.map(({ document_id }) => document_id),
    );
    const candidates = new Map(shown.map((candidate) => [keyOf(candidate.head), candidate]));
    const rules = new Map<string, ReviewRules>();
    const current = new Set<string>();
    const found = new Map<string, ReviewItem[]>();
    for await (const result of results.each(organizationId, heads)) {
      const key = keyOf(result.extraction);
      const candidate = candidates.get(key);
      const name = names.get(result.extraction.document_id);
      if (candidate === undefined) continue;
      const { head, isDrawn } = candidate;
      if (result.changes === head.changes) current.add(key);
      if (name === undefined) continue;
      const known = rules.get(head.prompt_id) ?? (await reader.rules(head.prompt_id));
      rules.set(head.prompt_id, known);
      found.set(key, await openItems(result, name, known, query, isDrawn));
    }
    const changed = heads.filter((head) => !current.has(keyOf(head)));
    for (const { document_id: documentId, prompt_id: promptId } of changed)
      await updater.update({ organizationId, documentId, promptId, kind: 'rescore' });
    const items = heads.flatMap((head) => found.get(keyOf(head)) ?? []);
    const isStale = changed.length > 0;
    return { items, isStale };
  }

  async function listQueue(query: ReviewQueueQuery, attempt = 1): Promise<ReviewQueue> {
    await updater.catchUp(organizationId);
    const { skip, limit } = query;
    const isLeasing = (query.lease ?? true) && actor.role !== 'viewer';
    const [{ heads, narrowing }, { own, byOthers: taken }] = await Promise.all([
      narrowed(query),
      isLeasing ? leases.listActive(userId) : { own: new Set<string>(), byOthers: new Set<string>() },
    ]);
    const { tagged } = narrowing;
    const select = () =>
      tagged === undefined || query.document_id !== undefined
        ? selectCandidates(heads, narrowing)
        : selectTagged(heads, { ...narrowing, tagged });
    for (;;) {
      const selection = await select();
      const { shown, offset, total_count } = pageOf(selection, { own, taken }, query);
      const lost = isLeasing ? await leaseAll(leases, shown, userId) : undefined;
      if (lost !== undefined) {
        // Another user leased the document right before: the next document replaces it.
        taken.add(lost);
        continue;
      }
      const { items, isStale } = await itemsOf(shown, query);
      // A result was written during the read: counts and items would not match.
      if (isStale && attempt < maxAttempts) return await listQueue(query, attempt + 1);
      return {
        items: items.slice(offset, offset + limit),
        documents: selection.documents,
        values: selection.values,
        to_audit: selection.toAudit,
        total_count,
        skip,
        limit,
      };
    }
  }

  return {
    /**
     * Documents of audit samples first, then the riskiest, a document's values together. Leases the listed documents, unless
     * `lease` is false.
     */
    list: async (query: ReviewQueueQuery): Promise<ReviewQueue> => await listQueue(query),
    /** Decides about values; returns one outcome for each decision, in the same order. */
    async decide(decisions: readonly ReviewDecision[]): Promise<ReviewOutcome[]> {
      requireWriter(actor);
      const service = dependencies.extractions(actor);
      const names = await namesOf(organizationId, [...new Set(decisions.map(({ document_id }) => document_id))]);
      const groups = Map.groupBy(decisions.keys(), (index) => keyOf(decisions[index]!));
      const outcomes = Array.from<ReviewOutcome>({ length: decisions.length });
      for (const indexes of groups.values()) {
        const group = indexes.map((index) => decisions[index]!);
        const { document_id, prompt_revid } = group[0]!;
        const decided = names.has(document_id)
          ? await service.decide(document_id, prompt_revid, group)
          : group.map(({ path }) => ({ document_id, prompt_revid, path, status: 'not_found' as const }));
        for (const [at, index] of indexes.entries()) outcomes[index] = decided[at]!;
      }
      return outcomes;
    },
  };
}

/** The documents with values on the page; `offset` counts the values of the first one that are on earlier pages. */
function pageOf(
  selection: QueueSelection,
  { own, taken }: { own: ReadonlySet<string>; taken: ReadonlySet<string> },
  { skip, limit, max_documents = limit }: ReviewQueueQuery,
) {
  let before = 0;
  const shown: ReviewCandidate[] = [];
  let offset = 0;
  for (const candidate of inOrder(selection, own)) {
    if (before >= skip + limit || shown.length === max_documents) break;
    if (taken.has(candidate.head.document_id)) continue;
    if (before + candidate.count > skip) {
      if (shown.length === 0) offset = skip - before;
      shown.push(candidate);
    }
    before += candidate.count;
  }
  const others = [...taken].flatMap((id) => selection.ofDocument(id).map(({ count }) => count));
  const total_count = selection.values + selection.toAudit - sum(others);
  return { shown, offset: Math.max(0, offset), total_count };
}

/** Documents leased to the caller come first, even if their risk falls or a riskier document arrives. */
function* inOrder(selection: QueueSelection, own: ReadonlySet<string>): Iterable<ReviewCandidate> {
  yield* [...own].flatMap((id) => selection.ofDocument(id)).sort(compareCandidates);
  for (const candidate of selection.candidates()) if (!own.has(candidate.head.document_id)) yield candidate;
}

/** Leases the documents; returns the first one that another user has leased, if any. */
async function leaseAll(
  leases: ReviewLeases,
  shown: readonly ReviewCandidate[],
  userId: string,
): Promise<string | undefined> {
  for (const { head } of shown) {
    if (!(await leases.take(head.document_id, userId))) return head.document_id;
  }
  return undefined;
}

async function openItems(
  { extraction, facts }: ReviewedResult,
  document_name: string,
  rules: ReviewRules,
  { reason, min_risk = 0, all = false }: ReviewQueueQuery,
  isDrawn: boolean,
): Promise<ReviewItem[]> {
  const { document_id, prompt_id, prompt_revid, version, grounding } = extraction;
  return (await reviewedValues(extraction, facts, rules))
    .filter(({ state, toCheck }) => state === 'open' && (all || isDrawn || toCheck))
    .filter(({ risk, reasons }) => risk >= min_risk && (!reason || reasons.includes(reason)))
    .toSorted((a, b) => b.risk - a.risk)
    .map(({ path, value, risk, reasons, toCheck }) => ({
      document_id,
      document_name,
      prompt_id,
      prompt_revid,
      path,
      value: grounding[path]?.raw ?? value,
      risk,
      reasons: [...reasons],
      to_check: toCheck,
      ...(isDrawn && !toCheck && { audit: true as const }),
      ...messagesFor(path, facts.failed_checks),
      ...(facts.second_values?.[path] !== undefined && {
        second_value: facts.second_values[path] as ReviewItem['value'],
      }),
      ...embeddedOf(facts, path),
      grounding: grounding[path] ?? null,
      version,
    }));
}

function messagesFor(path: string, failed: readonly FailedCheck[]): Pick<ReviewItem, 'failed_checks'> {
  const relevant = failed.filter(({ fields }) => fields.some((field) => isFieldOf(fieldOf(path), field)));
  return relevant.length === 0 ? {} : { failed_checks: relevant.map(({ message }) => message) };
}

function keyOf({ document_id, prompt_revid }: { document_id: string; prompt_revid: string }): string {
  return `${document_id} ${prompt_revid}`;
}
