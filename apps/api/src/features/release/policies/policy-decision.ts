import type { Extraction, ReleaseReason } from '@docwright/contract';
import { releaseReason, type ExtractionRecord } from '../../extractions/index.ts';
import { reviewedValues, type ReviewFacts, type ReviewRules } from '../../value-risk/index.ts';
import type { EvidenceRecord, PolicyRecord, ReleaseSubject } from './policy-model.ts';

/** A result with everything that its release depends on. */
export interface JudgedResult {
  record: ExtractionRecord;
  extraction: Extraction;
  facts: ReviewFacts;
  rules: ReviewRules;
  /** Why a user cannot release it. */
  blocks: ReleaseReason[];
}

/** Why the policy does not release the result; empty if it does. */
export async function releaseReasons(
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

/** Whether a result is of the revision, schema and model that the evidence is about. */
export function isAbout(subject: ReleaseSubject, { prompt_revid, schema_revid, model }: ExtractionRecord): boolean {
  return (
    subject.prompt_revid === prompt_revid.toHexString() &&
    subject.schema_revid === schema_revid &&
    subject.model === model
  );
}
