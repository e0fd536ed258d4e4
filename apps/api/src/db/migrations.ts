import type { Connection } from 'mongoose';
import { documentModel, pageModel } from '../documents/document-model.ts';
import { organizationModel } from '../identity/organization-model.ts';
import { userModel } from '../identity/user-model.ts';

export interface Migration {
  version: number;
  name: string;
  /** Runs once under the lock; safe to run again after a crash in the middle. */
  up(connection: Connection): Promise<void>;
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
];
