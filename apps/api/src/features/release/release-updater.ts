import { isDeepStrictEqual } from 'node:util';
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
import type { ReviewReader, ReviewRules } from '../value-risk/index.ts';
import type { EvidenceRepository } from './policies/evidence-repository.ts';
import type { PolicyRepository } from './policies/policy-repository.ts';
import type { EvidenceRecord, PolicyRecord } from './policies/policy-model.ts';
import type { ReleaseRepository } from './release-repository.ts';
import { createEvidenceNotes, type NotedEvidence } from './policies/evidence-notes.ts';
import { releaseReasons, type JudgedResult } from './policies/policy-decision.ts';

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

/** Judges results after each write: draws the sample, notes audits, releases what a policy allows. Idempotent. */
export function createReleaseUpdater(dependencies: UpdaterDependencies) {
  const { releases, rejudgements, policiesOf, readerOf, outsideBlocks, log } = dependencies;
  const noteEvidence = createEvidenceNotes(dependencies);

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

  async function note(record: ExtractionRecord, rules: ReviewRules): Promise<JudgedResult & NotedEvidence> {
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

/** Whether a user could verify it, but not release it, because of a decision about something else. */
function wasHeldUp({ release }: ExtractionRecord): boolean {
  return release?.reasons?.some(({ code }) => code === 'waiting_approval' || code === 'duplicate') === true;
}
