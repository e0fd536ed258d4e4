import { randomBytes } from 'node:crypto';
import type { PausedBecause, ReleaseStatus } from '@docwright/contract';
import {
  boundCurve,
  chooseThreshold,
  isWithinLimits,
  judgeDrift,
  minDriftDocuments,
  type AuditedDocument,
} from '@docwright/release';
import mongoose, { type Connection } from 'mongoose';
import { ignoreDuplicateKey } from '../../../platform/database/connection.ts';
import { objectIdOf } from '../../../platform/database/object-id.ts';
import { revisionModels } from '../../revisions/index.ts';
import {
  evidenceModel,
  policyModel,
  type EvidenceRecord,
  type PolicyRecord,
  type ReleaseSubject,
} from './policy-model.ts';

/** The policy as the settings of a prompt hold it. */
interface PolicySetting {
  policy: PolicyRecord['policy'];
  changed_by: string;
  changed_at: string;
}

/** The release policies of one organization. */
export type PolicyRepository = ReturnType<ReturnType<typeof createPolicyRepositories>>;

/** Risks that a drift is judged by: older ones say little about today. */
const maxRisks = 5_000;
const maxAttempts = 20;

export function createPolicyRepositories(connection: Connection) {
  const policies = policyModel(connection);
  const evidence = evidenceModel(connection);
  const { artifacts } = revisionModels(connection, 'prompt');
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const find = (prompt_id: string) => policies.findOne({ organization_id, prompt_id }).lean();

    async function settingOf(promptId: string): Promise<PolicySetting | undefined> {
      const _id = objectIdOf(promptId);
      const prompt = _id && (await artifacts.findOne({ _id, organization_id }, { settings: 1 }).lean());
      return prompt?.settings?.['release_policy'] as PolicySetting | undefined;
    }

    async function change(policy: PolicyRecord, set: Partial<PolicyRecord>, unset: readonly string[] = []) {
      const { modifiedCount } = await policies.updateOne(
        { _id: policy._id, organization_id, changes: policy.changes },
        {
          $set: set,
          $inc: { changes: 1 },
          ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((name) => [name, 1])) }),
        },
      );
      return modifiedCount === 1;
    }

    /** Brings the record to the policy of the prompt's settings. */
    async function synchronize(promptId: string, setting: PolicySetting): Promise<PolicyRecord | undefined> {
      const changed_at = new Date(setting.changed_at);
      const { policy, changed_by } = setting;
      const stored = await find(promptId);
      if (stored === null) {
        const record = {
          organization_id,
          prompt_id: promptId,
          policy,
          version: 1,
          changed_by,
          changed_at,
          sample_key: randomBytes(32).toString('hex'),
          // Results from before the policy count, if they are drawn before anybody decides about them.
          evidence_since: new Date(0),
          state: 'collecting' as const,
          threshold: null,
          bound: 1,
          needed: 0,
          changes: 0,
        };
        await policies.create(record).catch(ignoreDuplicateKey);
      } else if (!isFrom(stored, setting)) {
        // Read again after the record: clocks do not tell which of two settings was stored last.
        const latest = await settingOf(promptId);
        if (latest === undefined || isFrom(stored, latest)) return stored;
        const set = { policy: latest.policy, changed_by: latest.changed_by, changed_at: new Date(latest.changed_at) };
        await change(stored, { ...set, version: stored.version + 1 });
      } else return stored;
      return (await find(promptId)) ?? undefined;
    }

    const since = ({ prompt_id, evidence_since }: PolicyRecord) => ({
      organization_id,
      prompt_id,
      at: { $gte: evidence_since },
    });

    async function audited(policy: PolicyRecord): Promise<EvidenceRecord[]> {
      const filter = { ...since(policy), audited_at: { $gt: new Date(0) } };
      // In no order: sorted by another field, the database reads all documents and not the few that were audited.
      return await evidence.find(filter).lean();
    }

    const latestRisks = (policy: PolicyRecord, limit: number) =>
      evidence.find(since(policy), { risk: 1, at: 1 }).sort({ at: -1, _id: -1 }).limit(limit).lean();

    async function drift(policy: PolicyRecord) {
      const { drift_limits: known } = policy;
      if (known) {
        // What a decision waits for reads fifty documents, and not all that limits are made from.
        const [few, documents] = await Promise.all([
          latestRisks(policy, minDriftDocuments),
          evidence.countDocuments(since(policy), { limit: maxRisks }),
        ]);
        const risks = few.map(({ risk }) => risk);
        if (isWithinLimits(risks, documents, known)) return { hasDrifted: false, limits: known };
      }
      const latest = await latestRisks(policy, maxRisks);
      const risks = latest.map(({ risk }) => risk).reverse();
      const { hasDrifted, limits } = judgeDrift(risks, policy.drift_limits);
      return { hasDrifted, limits, from: latest[minDriftDocuments - 1]?.at };
    }

    async function refitOnce(policy: PolicyRecord): Promise<{ isDone: boolean; releasesMore: boolean }> {
      if (policy.policy === null) return { isDone: true, releasesMore: false };
      const { hasDrifted, limits, from } = await drift(policy);
      if (hasDrifted) {
        const paused = pause(policy, 'drift', from ?? new Date());
        const fresh = chooseThreshold([], claimOf(policy.policy));
        const set = { ...paused, evidence_since: new Date(), threshold: null, bound: 1, needed: fresh.needed };
        return { isDone: await change(policy, set, ['drift_limits']), releasesMore: false };
      }
      const found = chooseThreshold(auditedDocuments(policy, await audited(policy)), claimOf(policy.policy));
      const { threshold, bound, needed } = found;
      const isActive = threshold !== null;
      const state = isActive ? { state: 'active' as const } : pause(policy, 'bound_broken', policy.active_since);
      const set = {
        ...state,
        threshold,
        bound,
        needed,
        ...(limits && { drift_limits: limits }),
        ...(isActive && policy.state !== 'active' && { active_since: new Date() }),
      };
      const isDone = await change(policy, set, isActive ? ['paused_because', 'suspect_since'] : []);
      return { isDone, releasesMore: isActive && threshold > (policy.threshold ?? -1) };
    }

    return {
      /** The policy of a prompt as its settings say now; undefined if it never had one. */
      async current(promptId: string): Promise<PolicyRecord | undefined> {
        const setting = await settingOf(promptId);
        return setting && (await synchronize(promptId, setting));
      },
      /** The evidence is about another revision, schema or model from now on. */
      async changeSubject(policy: PolicyRecord, subject: ReleaseSubject): Promise<void> {
        const { subject: former } = policy;
        const because = former?.prompt_revid === subject.prompt_revid ? 'other_model' : 'new_revision';
        const restart = former && {
          ...pause(policy, because, subject.since),
          evidence_since: subject.since,
          threshold: null,
          bound: 1,
        };
        await change(policy, { subject, ...restart }, ['drift_limits']);
      },
      /** Chooses the threshold again. Returns whether it releases more than before. */
      async refit(promptId: string): Promise<boolean> {
        for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
          const policy = await find(promptId);
          if (policy === null) return false;
          const { isDone, releasesMore } = await refitOnce(policy);
          if (isDone) return releasesMore;
        }
        return false;
      },
      /** The documents of the evidence that were audited. */
      audited,
      /** How many more documents must be audited. */
      needed: (policy: PolicyRecord, documents: readonly EvidenceRecord[]): number =>
        policy.policy === null
          ? 0
          : chooseThreshold(auditedDocuments(policy, documents), claimOf(policy.policy)).needed,
      curve: (policy: PolicyRecord, documents: readonly EvidenceRecord[]): ReleaseStatus['curve'] =>
        policy.policy === null ? [] : boundCurve(auditedDocuments(policy, documents), claimOf(policy.policy)),
    };
  };
}

function isFrom(stored: PolicyRecord, setting: PolicySetting): boolean {
  return stored.changed_at.getTime() === Date.parse(setting.changed_at) && stored.changed_by === setting.changed_by;
}

/** What a policy releases. */
export interface ActivePolicy {
  threshold: number;
  /** The risk does not count. */
  checksOnly: boolean;
}

/** Reads what the policy of a prompt releases; undefined unless it is active. */
export function createActivePolicies(
  connection: Connection,
): (organizationId: string, promptId: string) => Promise<ActivePolicy | undefined> {
  const policiesOf = createPolicyRepositories(connection);
  return async (organizationId, promptId) => {
    const { policy, state, threshold } = (await policiesOf(organizationId).current(promptId)) ?? {};
    if (!policy || state !== 'active' || threshold === null || threshold === undefined) return undefined;
    return { threshold, checksOnly: policy.checks_only === true };
  };
}

/** A policy that was active pauses; one that never was keeps collecting. */
function pause(
  { state, paused_because, suspect_since }: PolicyRecord,
  because: PausedBecause,
  since: Date | undefined,
) {
  if (state === 'collecting') return { state };
  if (state === 'paused' && because === 'bound_broken') {
    return { state, ...(paused_because && { paused_because }), ...(suspect_since && { suspect_since }) };
  }
  return { state: 'paused' as const, paused_because: because, ...(since && { suspect_since: since }) };
}

function claimOf({ max_wrong, confidence, unit }: NonNullable<PolicyRecord['policy']>) {
  return { maxWrong: max_wrong, confidence, unit };
}

/** What a threshold could release. A policy that looks at checks alone has one threshold. */
function auditedDocuments({ policy }: PolicyRecord, documents: readonly EvidenceRecord[]): AuditedDocument[] {
  return documents
    .filter(({ is_blocked }) => !is_blocked)
    .map(({ risk, values, wrong_values = 0 }) => ({
      risk: policy?.checks_only ? 0 : risk,
      values,
      wrongValues: wrong_values,
    }));
}
