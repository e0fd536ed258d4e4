import { defaultModel } from '@docwright/review';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll } from 'vitest';
import { kindLeases } from '../features/auto-create/kinds/kind-repository.ts';
import {
  createOrphanedExtractions,
  createProgressRepositories,
} from '../features/extractions/long/progress-repository.ts';
import { createDocumentRepositories } from '../features/documents/records/document-repository.ts';
import { createLeftoverRepository } from '../features/documents/removal/leftover-repository.ts';
import {
  createConversationLeaseRepository,
  type ConversationLease,
} from '../features/pipeline-agent/conversation-lease-repository.ts';
import { createReviewLeases } from '../features/review/review-lease-repository.ts';
import { createTurnRepositories, type TurnFencingToken } from '../features/turns/turn-repository.ts';
import { createFitQueue, type FitClaim } from '../features/value-risk/risk-model-repository.ts';
import { newId, objectIdOf } from '../platform/database/object-id.ts';
import { documentRecord, leaseOnRecord, objectId, recordIds } from '../platform/leases/testing/lease-on-record.ts';
import { createLeases } from '../platform/leases/leases.ts';
import {
  describeLease,
  describeLeaseOfProcess,
  describeSharedLease,
  type LeaseUse,
} from '../platform/leases/testing/lease-suite.ts';
import { connectTestDatabase } from '../testing/test-database.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => connection.close());

describeLeaseOfProcess('a turn', () => {
  const repositories = createTurnRepositories(connection);
  const owner = { organizationId: newId(), documentId: newId(), userId: newId() };
  const turns = repositories.turnsOf(owner);
  const _id = objectId();
  const turnId = _id.toHexString();
  const record = {
    _id,
    organization_id: objectIdOf(owner.organizationId),
    document_id: objectIdOf(owner.documentId),
    user_id: objectIdOf(owner.userId),
    thread_id: objectId(),
    status: 'running',
    event_count: 0,
    event_bound: 1,
    beginning: '{}',
    take_ups: 0,
    decided: [],
    decided_count: 0,
    created_at: new Date(),
  };
  return leaseOnRecord<TurnFencingToken>(
    connection,
    'agent_turns',
    record,
    {
      async claim() {
        const turn = (await turns.get(turnId))!;
        if (!(await turns.resumeOrphan(turn))) return undefined;
        return { resumptions: turn.resumptions + 1, decidedCount: 0 };
      },
      renew: async (token) =>
        (await repositories.renewLeases([{ organizationId: owner.organizationId, turnId, token }])).length === 1,
      write: (token) =>
        turns.reserveEvents(turnId, token, 2).then(
          () => true,
          () => false,
        ),
      release: (token) => turns.release(turnId, token),
    },
    { until: 'lease_until', holder: 'holder' },
  );
});

/** Releases a record whose use has no release step of its own. */
const releaseOf = (collection: string) => (which: object, token: string) =>
  createLeases(connection.collection(collection), { token: 'lease.token', until: 'lease.until' }).release(
    { ...which },
    token,
  );

describeLease('a document in review', async () => {
  const organizationId = newId();
  const leases = createReviewLeases(connection)(organizationId);
  const documentId = newId();
  const record = { _id: objectIdOf(documentId), organization_id: objectIdOf(organizationId) };
  const take = async (user: string) => ((await leases.take(documentId, user)) ? user : undefined);
  return await leaseOnRecord<string>(connection, 'review_leases', record, {
    claim: () => take(newId()),
    renew: async (user) => (await take(user)) !== undefined,
    write: async (user) => (await leases.listActive(user)).own.has(documentId),
    release: async (user) => void (await releaseOf('review_leases')(record, user)),
  });
});

describeLeaseOfProcess('a risk model that is fitted', async () => {
  const queue = createFitQueue(connection);
  const record = { ...recordIds(), prompt_id: newId(), wanted: 1, fitted: 0, wanted_at: new Date(), fitted_at: null };
  const token = async () => (await connection.collection('risk_models').findOne())?.['lease']?.token as string;
  const learned = { model: defaultModel, profiles: new Map(), calibration: null };
  return await leaseOnRecord<FitClaim & { token: string }>(connection, 'risk_models', record, {
    async claim() {
      const claim = await queue.claim(0);
      return claim && { ...claim, token: await token() };
    },
    renew: (claim) => claim.renew(),
    write: (claim) => claim.store(learned),
    release: async (claim) => void (await releaseOf('risk_models')({ _id: record._id }, claim.token)),
  });
});

describeSharedLease('model runs on a document', async () => {
  const record = { ...documentRecord(), state: 'ocr_completed' };
  const documents = createDocumentRepositories(connection)(record.organization_id.toHexString());
  const leftovers = createLeftoverRepository(connection);
  const id = record._id.toHexString();
  const { expire } = await leaseOnRecord(connection, 'documents', record, {} as Omit<LeaseUse<string>, 'expire'>, {
    until: 'model_lease_until',
    holder: 'unused',
  });
  return {
    expire,
    join: () => documents.startModelRun(id),
    renew: (token) => documents.renewModelRun(id, token),
    leave: (token) => documents.finishModelRun(id, token, 'llm_processing'),
    holders: async () => (await connection.collection('documents').findOne())?.['model_runs'].length,
    end: () => leftovers.failLostRuns({ code: 'x', message: 'x' }),
  };
});

describeLeaseOfProcess("an organization's document kinds", () => {
  const leases = kindLeases(connection);
  const which = { _id: objectId() };
  const milliseconds = 60_000;
  return leaseOnRecord<string>(connection, 'document_kind_leases', which, {
    claim: async () => (await leases.claim(which, { milliseconds }))?.token,
    renew: async (token) => (await leases.renew(which, token, milliseconds)) !== undefined,
    write: (token) => leases.write(which, token, { $set: { written: true } }),
    release: async (token) => void (await leases.release(which, token)),
  });
});

describeLeaseOfProcess('a pipeline conversation', () => {
  const leases = createConversationLeaseRepository(connection);
  const record = recordIds();
  const milliseconds = 60_000;
  const renew = async (lease: ConversationLease) => (await leases.renew(lease, milliseconds)).isHeld;
  return leaseOnRecord<ConversationLease>(
    connection,
    'agent_conversations',
    { ...record, user_id: objectId() },
    {
      claim: async () => (await leases.claim(record._id.toHexString(), milliseconds))?.lease,
      renew,
      // Answers are written with the renewal.
      write: renew,
      release: (lease) => leases.release(lease),
    },
    'lock',
  );
});

describeLeaseOfProcess('a requested extraction', async () => {
  const [organizationId, documentId, promptRevid] = [newId(), newId(), newId()];
  const place = { document_id: documentId, prompt_revid: promptRevid };
  const progress = createProgressRepositories(connection)(organizationId);
  const orphans = createOrphanedExtractions(connection);
  const asked = { user_id: newId(), role: 'member' as const, call_id: newId(), replace: 'unreviewed' as const };
  const record = {
    organization_id: objectIdOf(organizationId),
    document_id: objectIdOf(documentId),
    prompt_revid: objectIdOf(promptRevid),
    run_id: 'before',
    state: 'running',
    asked,
  };
  const renew = (runId: string) => progress.renew(place, runId);
  return await leaseOnRecord<string>(connection, 'extraction_progress', record, {
    async claim() {
      const orphan = await orphans.claim();
      return orphan && (await progress.start(place, 1, orphan.asked));
    },
    renew,
    // The lease is checked before the result is stored.
    write: renew,
    release: (runId) => progress.release(place, runId),
  });
});
