import { isDeepStrictEqual } from 'node:util';
import type { Extraction, ReleaseReason } from '@docwright/contract';
import { compareResults } from '@docwright/scorer';
import { isDrawn } from '@docwright/release';
import {
  blocksOf,
  factsOf,
  isBlocked,
  presentExtraction,
  releaseReason,
  released,
  type ExtractionRecord,
  type OutsideBlocks,
  type ResultSweeps,
} from '../extractions/index.ts';
import { reviewedValues, type ReviewFacts, type ReviewReader, type ReviewRules } from '../value-risk/index.ts';
import type { EvidenceRepository } from './evidence-repository.ts';
import type { PolicyRepository } from './policy-repository.ts';
import type { EvidenceRecord, PolicyRecord, ReleaseSubject } from './release-model.ts';
import type { ReleaseRepository } from './release-repository.ts';

/** A result with everything that its release depends on. */
interface JudgedResult {
  record: ExtractionRecord;
  extraction: Extraction;
  facts: ReviewFacts;
  rules: ReviewRules;
  /** Why a user cannot release it. */
  blocks: ReleaseReason[];
}

interface UpdaterDependencies {
  releases: ReleaseRepository;
  /** Judges all open results of a prompt again. */
  rejudgements: ResultSweeps;
  policiesOf: (organizationId: string) => PolicyRepository;
  evidenceOf: (organizationId: string) => EvidenceRepository;
  readerOf: (organizationId: string) => ReviewReader;
  outsideBlocks: OutsideBlocks;
  log: { error(fields: object, message: string): void };
}

/** The threshold is chosen once for a batch. A batch is smaller than the documents that a drift is judged by. */
const batchSize = 25;
/** Of stored texts, which are compressed: the parsed results are some twenty times as large. */
const maxCharacters = 1_000_000;
/** Results that are judged again at once: a decision of a user waits for so many. */
const rejudgedSize = 10;

/** A result whose evidence is noted. */
interface NotedResult extends JudgedResult {
  evidence?: EvidenceRecord;
  isNew: boolean;
}

/** Judges results after each write: draws the sample, notes audits, releases what a policy allows. Idempotent. */
export function createReleaseUpdater(dependencies: UpdaterDependencies) {
  const { releases, rejudgements, policiesOf, evidenceOf, readerOf, outsideBlocks, log } = dependencies;

  /** Calls `step` for each result; one that fails is tried again later, and does not block the others. */
  async function each<Item extends { record: ExtractionRecord }, Done>(
    items: readonly Item[],
    step: (item: Item) => Promise<Done | undefined>,
  ): Promise<Done[]> {
    const done: Done[] = [];
    for (const item of items) {
      try {
        const result = await step(item);
        if (result !== undefined) done.push(result);
      } catch (error) {
        const { _id } = item.record;
        log.error({ err: error, extraction_id: _id.toHexString() }, 'a release could not be judged');
        await releases.postpone(item.record);
      }
    }
    return done;
  }

  /** Notes what the policies learn from the results, chooses their thresholds, and sets the states. */
  async function judgeAll(records: readonly ExtractionRecord[]): Promise<void> {
    const rules = new Map<string, Promise<ReviewRules>>();
    const noted = await each(
      records.map((record) => ({ record })),
      async ({ record }) => {
        if (!(await releases.isCurrent(record))) {
          await finish(record);
          return undefined;
        }
        const known = rules.get(promptKey(record)) ?? readerOf(organizationOf(record)).rules(record.prompt_id);
        rules.set(promptKey(record), known);
        return await note(record, await known);
      },
    );
    for (const group of Map.groupBy(noted, ({ record }) => promptKey(record)).values()) {
      const { record } = group[0]!;
      const policies = policiesOf(organizationOf(record));
      if (group.some(({ isNew }) => isNew) && (await policies.refit(record.prompt_id))) {
        await rejudgements.request(organizationOf(record), record.prompt_id);
      }
      const policy = await policies.current(record.prompt_id);
      await each(group, async (result) => await finish(await settle(result, policy, result.evidence)));
    }
  }

  async function note(record: ExtractionRecord, rules: ReviewRules): Promise<NotedResult> {
    const facts = await factsOf(record);
    const blocks = [...blocksOf(record, facts), ...(await outsideBlocks(record))];
    const judged: JudgedResult = { record, extraction: await presentExtraction(record, facts), facts, rules, blocks };
    const policy = await policiesOf(organizationOf(record)).current(record.prompt_id);
    return { ...judged, ...(policy?.policy ? await noteEvidence(judged, policy) : { isNew: false }) };
  }

  async function finish(record: ExtractionRecord): Promise<void> {
    await releases.publish(record);
    await releases.markJudged(record);
  }

  /** Draws a new extraction for the sample, and notes the audit of a verified one. */
  async function noteEvidence(judged: JudgedResult, policy: PolicyRecord) {
    const { record, extraction, facts } = judged;
    const { document_id: documentId, prompt_id: promptId, prompt_revid } = extraction;
    const organizationId = record.organization_id.toHexString();
    const evidences = evidenceOf(organizationId);
    const key = { promptId, documentId };
    const known = await evidences.get(key);
    // Who has verified values without seeing them has audited nothing.
    const isAudited = extraction.is_verified && known?.is_drawn === true && (facts.unseen ?? []).length === 0;
    const isSame = known?.prompt_revid === prompt_revid && known.at.getTime() >= record.created_at.getTime();
    if (isSame) {
      const isNew = isAudited && (await evidences.audit(key, await countWrong(judged)));
      const evidence = (await evidences.get(key)) ?? known;
      return { ...(evidence && { evidence }), isNew };
    }
    const { subject } = policy;
    const isOther = subject !== undefined && !isAbout(subject, record);
    // An older result of another revision says nothing about the current one.
    const isOutdated = isOther && record.created_at.getTime() <= subject.since.getTime();
    if (subject === undefined || (isOther && !isOutdated)) {
      const { schema_revid, model, created_at: since } = record;
      await policiesOf(organizationId).changeSubject(policy, { prompt_revid, schema_revid, model, since });
    }
    // Who has decided about values has seen them: such a document is no fair sample.
    const isUnseen = !isOutdated && !extraction.is_verified && Object.keys(facts.decisions).length === 0;
    const share = policy.policy?.sample ?? 0;
    const drawn = isDrawn({ key: policy.sample_key, promptId, documentId, share });
    const evidence = {
      prompt_revid,
      version: extraction.version,
      ...(await answeredRisk(judged)),
      is_blocked: isBlocked(judged.blocks.filter(({ code }) => code !== 'waiting_approval')),
      is_drawn: isUnseen && (drawn || known?.is_drawn === true),
      at: record.created_at,
    };
    await evidences.put(key, evidence);
    const stored = await evidences.get(key);
    return { ...(stored && { evidence: stored }), isNew: true };
  }

  /** Sets the state of the result. Returns it as it is stored now. */
  async function settle(judged: JudgedResult, policy: PolicyRecord | undefined, evidence: EvidenceRecord | undefined) {
    const { record } = judged;
    const { withdrawn, state } = record.release ?? {};
    if (state === 'released') return record;
    // Only a user, or a new version, releases again what was withdrawn as it is.
    if (state === 'withdrawn' && withdrawn?.version === record.version) return record;
    const read = await releaseReasons(judged, policy, evidence);
    // It can have been changed, paused or switched off while the results before this one were judged.
    const now = read.length === 0 ? await policiesOf(organizationOf(record)).current(record.prompt_id) : policy;
    const isSame = now?.version === policy?.version && now?.state === policy?.state;
    const ofPolicy = isSame ? read : await releaseReasons(judged, now, evidence);
    const { is_verified } = judged.extraction;
    const isSecond = ofPolicy.length === 0 && !is_verified && (await releases.hasOtherVerified(record));
    const reasons = isSecond ? [releaseReason('needs_check')] : ofPolicy;
    const change =
      is_verified && wasHeldUp(record) && !isBlocked(judged.blocks)
        ? released(record, { by: 'user' })
        : reasons.length === 0 && now
          ? released(record, { by: 'policy', policy_version: now.version })
          : { release: { state: 'open' as const, reasons, ...(withdrawn && { withdrawn }) }, events: [] };
    if (change.events.length === 0 && isDeepStrictEqual(change.release, record.release)) return record;
    const isApplied = await releases.apply(record, change);
    return isApplied ? { ...record, release: change.release } : record;
  }

  /** Judges some results of the request whose turn it is. Returns false without a request. */
  async function rejudgeSome(): Promise<boolean> {
    const again = await rejudgements.next(rejudgedSize);
    if (again === undefined) return false;
    for (const part of inParts(again.records)) await judgeAll(part);
    await rejudgements.advance(again);
    return true;
  }

  return {
    async work(signal: AbortSignal): Promise<void> {
      await releases.publishRemoved();
      await releases.withdrawLeftInTrash();
      let isMore = true;
      for (let round = 0; isMore && !signal.aborted; round += 1) {
        isMore = false;
        for await (const organization of releases.organizations()) {
          if (signal.aborted) return;
          // What was written last comes in each second batch: a decision of a user does not wait behind many results.
          const pending = await releases.pending(organization, batchSize, round % 2 === 0 ? 'oldest' : 'latest');
          for (const part of inParts(pending)) await judgeAll(part);
          if (pending.length === batchSize) isMore = true;
          if (await rejudgeSome()) isMore = true;
        }
        if (await rejudgeSome()) isMore = true;
      }
    },
  };
}

/** What is judged together is in memory at once, parsed: long results are judged alone. */
function* inParts(records: readonly ExtractionRecord[]): Generator<ExtractionRecord[]> {
  let part: ExtractionRecord[] = [];
  let characters = 0;
  for (const record of records) {
    const own = [record.result, record.original_result, record.grounding].join('').length;
    if (part.length > 0 && characters + own > maxCharacters) {
      yield part;
      [part, characters] = [[], 0];
    }
    part.push(record);
    characters += own;
  }
  if (part.length > 0) yield part;
}

const organizationOf = ({ organization_id }: ExtractionRecord): string => organization_id.toHexString();
const promptKey = (record: ExtractionRecord): string => `${organizationOf(record)} ${record.prompt_id}`;

/** The number of values that a user has changed. */
async function countWrong({ extraction }: JudgedResult): Promise<number> {
  const { original_result, result } = extraction;
  const { differences } = await compareResults({
    truth: original_result,
    before: result,
    after: original_result,
  });
  return differences.filter(({ kind }) => kind === 'fixed').length;
}

/** The risk of a document as its model answered: before any user has decided. */
async function answeredRisk({ extraction, facts, rules }: JudgedResult): Promise<{ risk: number; values: number }> {
  const answered = { ...extraction, result: extraction.original_result, is_verified: false };
  const values = await reviewedValues(
    answered,
    { ...facts, signals: facts.original_signals ?? facts.signals, decisions: {} },
    { ...rules, policy: null },
  );
  return { risk: values.reduce((most, { decidingRisk }) => Math.max(most, decidingRisk), 0), values: values.length };
}

/** Why the policy does not release the result; empty if it does. */
async function releaseReasons(
  judged: JudgedResult,
  policy: PolicyRecord | undefined,
  evidence: Pick<EvidenceRecord, 'is_drawn'> | undefined,
): Promise<ReleaseReason[]> {
  const { record, extraction, facts, rules, blocks } = judged;
  if (!policy?.policy) return [...blocks, releaseReason('policy_off')];
  const isUnseen = evidence?.is_drawn === true && !extraction.is_verified;
  const sampled = isUnseen ? [releaseReason('sampled')] : [];
  if (policy.state !== 'active' || policy.threshold === null) {
    return [...blocks, ...sampled, releaseReason('not_enough_evidence')];
  }
  if (policy.subject && !isAbout(policy.subject, record)) {
    return [...blocks, ...sampled, releaseReason('not_enough_evidence')];
  }
  const { threshold } = policy;
  if (policy.policy.checks_only) return [...blocks, ...sampled];
  const values = await reviewedValues(extraction, facts, { ...rules, policy: null });
  const risky = values.filter(({ state, decidingRisk }) => state === 'open' && decidingRisk > threshold);
  const check =
    risky.length === 0
      ? []
      : [
          releaseReason(
            'needs_check',
            risky.map(({ path }) => path),
          ),
        ];
  return [...blocks, ...check, ...sampled];
}

/** Whether a user could verify it, but not release it, because of a decision about something else. */
function wasHeldUp({ release }: ExtractionRecord): boolean {
  return release?.reasons?.some(({ code }) => code === 'waiting_approval' || code === 'duplicate') === true;
}

/** Whether a result is of the revision, schema and model that the evidence is about. */
function isAbout(subject: ReleaseSubject, { prompt_revid, schema_revid, model }: ExtractionRecord): boolean {
  return (
    subject.prompt_revid === prompt_revid.toHexString() &&
    subject.schema_revid === schema_revid &&
    subject.model === model
  );
}
