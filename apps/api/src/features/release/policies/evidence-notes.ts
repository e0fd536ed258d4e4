import { isDrawn } from '@docwright/release';
import { compareResults } from '@docwright/scorer';
import { isBlocked } from '../../extractions/index.ts';
import { reviewedValues } from '../../value-risk/index.ts';
import type { EvidenceRepository } from './evidence-repository.ts';
import { isAbout, type JudgedResult } from './policy-decision.ts';
import type { PolicyRepository } from './policy-repository.ts';
import type { EvidenceRecord, PolicyRecord } from './policy-model.ts';

interface NotesDependencies {
  policiesOf: (organizationId: string) => Pick<PolicyRepository, 'changeSubject'>;
  evidenceOf: (organizationId: string) => EvidenceRepository;
}

/** What a policy knows about a result. `isNew` says that this call has added to it: its threshold can change. */
export interface NotedEvidence {
  evidence?: EvidenceRecord;
  isNew: boolean;
}

/** Notes what a policy learns from a result: draws a new extraction for the sample, and counts the errors of an audited one. */
export function createEvidenceNotes({ policiesOf, evidenceOf }: NotesDependencies) {
  return async (judged: JudgedResult, policy: PolicyRecord): Promise<NotedEvidence> => {
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
  };
}

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
