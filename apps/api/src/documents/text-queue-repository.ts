import { randomUUID } from 'node:crypto';
import mongoose, { type Connection } from 'mongoose';
import { documentModel } from './document-model.ts';

/** A document whose text this process reads now. */
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
 * Documents of all organizations that wait for their text. The document's own record is the queue: a claim is taken by one
 * atomic update, and every later step succeeds only for the holder of the claim. One that is not renewed is given back by
 * `lost-claim-repository.ts`.
 */
export interface TextQueueRepository {
  claimNext(): Promise<TextClaim | undefined>;
  /** Renews the claim; false when the document or the claim is gone. */
  renew(claim: TextClaim): Promise<boolean>;
  /** Renews the claim and notes progress; false when the document or the claim is gone. */
  progress(claim: TextClaim, pagesDone: number, pageCount: number): Promise<boolean>;
  complete(claim: TextClaim, pageCount: number): Promise<boolean>;
  /** Hands the document on, for the pages that have to be recognised. */
  passToRecognition(claim: TextClaim, pageCount: number, pagesDone: number): Promise<boolean>;
  fail(claim: TextClaim, error: { code: string; message: string }, pageCount?: number): Promise<boolean>;
  /** Gives the document back, for another to begin anew. */
  release(claim: TextClaim): Promise<void>;
}

export function createTextQueueRepository(connection: Connection): TextQueueRepository {
  const model = documentModel(connection);
  const held = (claim: TextClaim) => ({
    _id: new mongoose.Types.ObjectId(claim.documentId),
    'claim.token': claim.token,
  });

  async function end(claim: TextClaim, set: Record<string, unknown>, unset: Record<string, 1>): Promise<boolean> {
    const answer = await model.updateOne(held(claim), { $set: set, $unset: { ...unset, claim: 1 } });
    return answer.matchedCount === 1;
  }

  return {
    async claimNext() {
      const token = randomUUID();
      const record = await model
        .findOneAndUpdate(
          {
            deleted_at: null,
            state: 'uploaded',
          },
          {
            $set: { state: 'ocr_processing', claim: { token, beat: 0 }, pages_done: 0 },
            $inc: { attempts: 1 },
          },
          { sort: { upload_date: 1 }, returnDocument: 'after' },
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
    async renew(claim) {
      const answer = await model.updateOne(held(claim), { $inc: { 'claim.beat': 1 } });
      return answer.matchedCount === 1;
    },
    async progress(claim, pagesDone, pageCount) {
      const set = { pages_done: pagesDone, page_count: pageCount };
      const answer = await model.updateOne(held(claim), { $set: set, $inc: { 'claim.beat': 1 } });
      return answer.matchedCount === 1;
    },
    async complete(claim, pageCount) {
      const set = { state: 'ocr_completed', page_count: pageCount, pages_done: pageCount };
      return await end(claim, set, { state_error: 1 });
    },
    async passToRecognition(claim, pageCount, pagesDone) {
      const set = { page_count: pageCount, pages_done: pagesDone, ocr_turn: new Date(), attempts: 0 };
      return await end(claim, set, { state_error: 1 });
    },
    async fail(claim, error, pageCount) {
      const counted = pageCount === undefined ? {} : { page_count: pageCount, pages_done: pageCount };
      return await end(claim, { state: 'ocr_failed', state_error: error, ...counted }, {});
    },
    async release(claim) {
      await model.updateOne(held(claim), { $set: { state: 'uploaded' }, $unset: { claim: 1 }, $inc: { attempts: -1 } });
    },
  };
}
