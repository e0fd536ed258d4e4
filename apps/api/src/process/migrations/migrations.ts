import type { Connection } from 'mongoose';
import { extractionModel } from '../../features/extractions/records/extraction-model.ts';
import { documentModel, nameKeyOf } from '../../features/documents/records/document-model.ts';
import { pageModel } from '../../features/documents/records/page-model.ts';
import { noteStageCheckDue } from '../../features/documents/records/kept-stage-repository.ts';
import { organizationModel } from '../../features/identity/organizations/organization-model.ts';
import { userModel } from '../../features/identity/users/user-model.ts';
import { dropIndex } from './drop-index.ts';
import { indexContent } from './content-search.ts';
import { taskModel } from '../../features/tasks/task-model.ts';
import { dropFormerIndexes, dropFormerIndexesOfEntries, hasOlderRun, nameOrganizations } from './organization-first.ts';
import { groupOlderProposals } from './proposals-by-kind.ts';
import { ofReadable, type OnUnreadable } from './readable-records.ts';
import { fillNameParts } from '../../features/documents/records/name-part-repository.ts';
import { moveLargeMetadata } from './large-metadata.ts';
import { sumOlderUsage } from './usage-sums.ts';

export type Migration = {
  version: number;
  name: string;
  /** Runs once under the lease; safe to run again after a crash in the middle. */
  up(connection: Connection, onUnreadable?: OnUnreadable): Promise<void>;
  /**
   * What processes that do not know this version would miss or undo. It runs under the lease at each start beside which none
   * of them runs, since one may have started again meanwhile; safe to repeat.
   */
  settle?(connection: Connection): Promise<void>;
} & (
  | {
      /** Adds what this release needs. Processes of the release before go on beside it, and may start anew. */
      phase: 'expand';
    }
  | {
      /** Takes away what only releases read that do not know version `after`. It comes one release later than `after`. */
      phase: 'contract';
      after: number;
    }
);

/** Replaced indexes, which still slow down every write. */
const formerIndexes = {
  documents: ['organization_id_1_upload_date_-1__id_-1', 'organization_id_1_tag_ids_1', 'ocr_turn_1'],
  agent_turns: ['running_until'],
  document_runs: ['run_id_1__id_1'],
};
/** The job of the review queue processes all results again. */
async function queueAllResults(connection: Connection): Promise<void> {
  await extractionModel(connection).updateMany(
    { review_pending: { $exists: false } },
    { $set: { review_pending: 'rescore' } },
  );
}

/** In order; a version number is never reused. Indexes are defined on the models and created at every start. */
export const migrations: Migration[] = [
  {
    version: 1,
    name: 'first organization and its owner, without a password',
    phase: 'expand',
    async up(connection) {
      const now = new Date();
      const owner = await userModel(connection).findOneAndUpdate(
        { email: 'owner@localhost' },
        { $setOnInsert: { name: 'Owner', password_hash: null, created_at: now } },
        { upsert: true, returnDocument: 'after' },
      );
      await organizationModel(connection).updateOne(
        { 'members.user_id': owner._id },
        {
          $setOnInsert: {
            name: 'My organization',
            auto_create_default: false,
            created_at: now,
            members: [{ user_id: owner._id, role: 'admin', joined_at: now }],
          },
        },
        { upsert: true },
      );
    },
  },
  {
    version: 2,
    name: 'requeue scans that failed without OCR',
    phase: 'expand',
    async up(connection) {
      const documents = documentModel(connection);
      // Scans had failed; the scanned pages of mixed documents had stayed empty.
      await documents.updateMany(
        { state: 'ocr_failed', 'state_error.code': 'ocr_unavailable' },
        { $set: { state: 'uploaded', attempts: 0 }, $unset: { state_error: 1 } },
      );
      const mixed = await pageModel(connection).distinct('document_id', { needs_ocr: true });
      await documents.updateMany(
        { _id: { $in: mixed }, state: 'ocr_completed' },
        { $set: { state: 'ocr_processing', ocr_turn: new Date(), attempts: 0 } },
      );
    },
  },
  {
    version: 3,
    name: 'name keys, for lists that read only indexes',
    phase: 'expand',
    async up(connection, onUnreadable = () => undefined) {
      const documents = documentModel(connection);
      const after = (last: object) => documents.find(last, { document_name: 1 }).sort({ _id: 1 }).limit(1000).lean();
      for (let batch = await after({}); batch.length > 0; batch = await after({ _id: { $gt: batch.at(-1)?._id } })) {
        // In JavaScript, since MongoDB lowers only ASCII.
        const of = { collection: 'documents', onUnreadable };
        const updates = await ofReadable(of, batch, ({ _id, document_name }) => ({
          updateOne: { filter: { _id, document_name }, update: { $set: { name_key: nameKeyOf(document_name) } } },
        }));
        if (updates.length > 0) await documents.bulkWrite(updates);
      }
      for (const [collection, names] of Object.entries(formerIndexes)) {
        for (const name of names) await dropIndex(connection, collection, name);
      }
    },
  },
  {
    version: 4,
    name: 'results enter the review queue',
    phase: 'expand',
    async up(connection) {
      await extractionModel(connection).updateMany(
        { review_pending: { $exists: false }, review_facts: { $exists: false } },
        { $set: { review_pending: 'rescore' } },
      );
    },
  },
  {
    version: 5,
    name: 'proposals are grouped by kind',
    phase: 'expand',
    up: groupOlderProposals,
  },
  {
    version: 6,
    name: 'large metadata moves to its own collection',
    // Releases without it still write large metadata.
    phase: 'contract',
    after: 6,
    up: moveLargeMetadata,
  },
  {
    version: 7,
    name: 'the review queue knows which values are to check',
    phase: 'expand',
    up: queueAllResults,
  },
  {
    version: 8,
    name: 'documents are found by their content',
    phase: 'expand',
    up: indexContent,
  },
  {
    version: 9,
    name: 'results enter the index of results',
    phase: 'expand',
    async up(connection) {
      // Results from before the event log are not announced.
      await extractionModel(connection).collection.updateMany({ announced_version: { $exists: false } }, [
        { $set: { announced_version: '$version', index_pending: { $literal: 'first' } } },
      ]);
    },
  },
  {
    version: 10,
    name: 'tasks count their versions',
    phase: 'expand',
    async up(connection) {
      const first = { changes: 1, applied_calls: [], deleted_at: null, deleted_by_call: null };
      await taskModel(connection).updateMany({ changes: { $exists: false } }, { $set: first });
    },
  },
  {
    version: 11,
    name: 'documents know what their results ask of users',
    phase: 'expand',
    up: queueAllResults,
  },
  {
    version: 12,
    name: 'files of sources name all their documents',
    phase: 'expand',
    async up(connection) {
      await dropIndex(connection, 'source_files', 'source_id_1_document_id_1');
      await connection
        .collection('source_files')
        .updateMany({ document_ids: { $exists: false } }, [{ $set: { document_ids: ['$document_id'] } }]);
    },
  },
  {
    version: 13,
    name: 'usage is kept as sums',
    phase: 'expand',
    up: sumOlderUsage,
  },
  {
    version: 14,
    name: 'documents that wait for their text are found by organization',
    phase: 'expand',
    up: (connection) => dropIndex(connection, 'documents', 'state_1_upload_date_1'),
  },
  {
    version: 15,
    name: 'proposals are found by kind and name',
    phase: 'expand',
    up: (connection) =>
      dropIndex(connection, 'documents', 'organization_id_1_auto_create.status_1_auto_create.prompt_id_1'),
  },
  {
    version: 16,
    name: 'what grows with documents is found by its organization first',
    phase: 'expand',
    up: nameOrganizations,
    async settle(connection) {
      await nameOrganizations(connection);
      await dropFormerIndexes(connection);
    },
  },
  {
    version: 17,
    name: 'documents know their stage',
    phase: 'expand',
    // A job stores them beside running commands, and again after a process of a release without this version has run.
    async up(connection) {
      if ((await documentModel(connection).findOne({}, { _id: 1 }).lean()) !== null)
        await noteStageCheckDue(connection);
    },
  },
  {
    version: 18,
    name: 'chunks of all collections stand together',
    phase: 'expand',
    // A job moves them beside running commands, once no process runs that reads them where they stood.
    up: async () => undefined,
  },
  {
    version: 19,
    name: 'on a server of MongoDB, names are found by their parts',
    phase: 'expand',
    up: async () => undefined,
    // Before that of version 20, which removes the sign that an older process has run.
    settle: (connection) =>
      fillNameParts(connection, documentModel(connection).collection, async () => hasOlderRun(connection)),
  },
  {
    version: 20,
    name: 'documents of collections are found by their organization first',
    phase: 'expand',
    up: async () => undefined,
    settle: dropFormerIndexesOfEntries,
  },
  {
    version: 21,
    name: 'releases that are to be judged are found by organization, and due deliveries by webhook',
    phase: 'expand',
    up: async () => undefined,
    // Releases without version 21 create them at each start.
    async settle(connection) {
      await dropIndex(connection, 'extractions', 'release_pending_1_changed_at_1');
      await dropIndex(connection, 'webhook_deliveries', 'state_1_next_try_at_1');
    },
  },
  {
    version: 22,
    name: 'results that are to be announced are found by their organization first',
    phase: 'expand',
    up: async () => undefined,
    // Releases without version 22 create it at each start.
    settle: (connection) => dropIndex(connection, 'extractions', 'announce_pending_1'),
  },
];
