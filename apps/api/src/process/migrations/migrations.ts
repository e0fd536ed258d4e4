import mongoose, { type Connection } from 'mongoose';
import { extractionModel } from '../../features/extractions/extraction-model.ts';
import { documentModel, nameKeyOf, pageModel } from '../../features/documents/document-model.ts';
import { organizationModel } from '../../features/identity/organizations/organization-model.ts';
import { userModel } from '../../features/identity/user-model.ts';
import { groupOlderProposals } from './proposals-by-kind.ts';
import { keepLargeMetadataAside } from './large-metadata.ts';

export interface Migration {
  version: number;
  name: string;
  /** Runs once under the lock; safe to run again after a crash in the middle. */
  up(connection: Connection): Promise<void>;
}

/** Indexes that others have taken the place of, and cost every write something. */
const formerIndexes = {
  documents: ['organization_id_1_upload_date_-1__id_-1', 'organization_id_1_tag_ids_1', 'ocr_turn_1'],
  agent_turns: ['running_until'],
  document_runs: ['run_id_1__id_1'],
};
const notFound = new Set<unknown>([26, 27]);

async function dropIndex(connection: Connection, collection: string, name: string): Promise<void> {
  try {
    await connection.collection(collection).dropIndex(name);
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError && notFound.has(error.code))) throw error;
  }
}

/** In order; a number is never reused. Indexes are not here: they stand on the models and are made at every start. */
export const migrations: Migration[] = [
  {
    version: 1,
    name: 'first organization and its owner, who has no password yet',
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
    name: 'read again what could not be read without OCR',
    async up(connection) {
      const documents = documentModel(connection);
      // Scans were given up; of mixed documents the scanned pages stayed empty.
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
    name: 'lists read from indexes alone',
    async up(connection) {
      const documents = documentModel(connection);
      const after = (last: object) => documents.find(last, { document_name: 1 }).sort({ _id: 1 }).limit(1000).lean();
      for (let batch = await after({}); batch.length > 0; batch = await after({ _id: { $gt: batch.at(-1)?._id } })) {
        // In JavaScript, since MongoDB's own lower case knows ASCII alone.
        await documents.bulkWrite(
          batch.map(({ _id, document_name }) => ({
            updateOne: { filter: { _id, document_name }, update: { $set: { name_key: nameKeyOf(document_name) } } },
          })),
        );
      }
      for (const [collection, names] of Object.entries(formerIndexes)) {
        for (const name of names) await dropIndex(connection, collection, name);
      }
    },
  },
  {
    version: 4,
    name: 'results are in the review queue',
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
    up: groupOlderProposals,
  },
  {
    version: 6,
    name: 'metadata from before its limit is kept aside, since lists hold it',
    up: keepLargeMetadataAside,
  },
];
