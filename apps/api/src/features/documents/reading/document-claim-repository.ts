import { randomUUID } from 'node:crypto';
import mongoose, { type Connection, type QueryFilter, type UpdateQuery } from 'mongoose';
import { documentModel, type DocumentRecord } from '../document-model.ts';

/** A document that this process reads now. */
export interface TextClaim {
  organizationId: string;
  documentId: string;
  documentName: string;
  mimeType: string;
  fileId: string;
  token: string;
  /** Counts from 1. */
  attempt: number;
}

/**
 * Claims on documents of all organizations. The document's own record is the queue: a claim is taken by one atomic update,
 * and every later step succeeds only for the holder of the claim. One that is not renewed is given back by
 * `lost-claim-repository.ts`.
 */
export function createDocumentClaims(connection: Connection) {
  const model = documentModel(connection);
  return {
    /** Takes the first of those waiting that nobody holds. */
    async claimFirst(
      waiting: QueryFilter<DocumentRecord>,
      sort: Record<string, 1>,
      set: Partial<DocumentRecord> = {},
    ): Promise<TextClaim | undefined> {
      const token = randomUUID();
      const record = await model
        .findOneAndUpdate(
          waiting,
          { $set: { ...set, claim: { token, beat: 0 } }, $inc: { attempts: 1 } },
          { sort, returnDocument: 'after' },
        )
        .lean();
      if (record === null) return undefined;
      return {
        organizationId: record.organization_id.toHexString(),
        documentId: record._id.toHexString(),
        documentName: record.document_name,
        mimeType: record.mime_type,
        fileId: record.file_id.toHexString(),
        token,
        attempt: record.attempts,
      };
    },
    /** False when the document or the claim is gone. */
    async change(
      claim: TextClaim,
      update: UpdateQuery<DocumentRecord>,
      only: QueryFilter<DocumentRecord> = {},
    ): Promise<boolean> {
      const held = { ...only, _id: new mongoose.Types.ObjectId(claim.documentId), 'claim.token': claim.token };
      return (await model.updateOne(held, update)).matchedCount === 1;
    },
  };
}
