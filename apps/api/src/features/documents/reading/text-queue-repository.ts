import type { Connection } from 'mongoose';
import { createDocumentClaims, type TextClaim } from './document-claim-repository.ts';

/** Documents of all organizations that wait for their text. */
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
  const claims = createDocumentClaims(connection);
  const end = (claim: TextClaim, set: Record<string, unknown>, unset: Record<string, 1>): Promise<boolean> =>
    claims.change(claim, { $set: set, $unset: { ...unset, claim: 1 } });

  return {
    async claimNext() {
      const set = { state: 'ocr_processing', pages_done: 0 } as const;
      return await claims.claimFirst({ deleted_at: null, state: 'uploaded' }, { upload_date: 1 }, set);
    },
    async renew(claim) {
      return await claims.change(claim, { $inc: { 'claim.beat': 1 } });
    },
    async progress(claim, pagesDone, pageCount) {
      const set = { pages_done: pagesDone, page_count: pageCount };
      return await claims.change(claim, { $set: set, $inc: { 'claim.beat': 1 } });
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
      await claims.change(claim, { $set: { state: 'uploaded' }, $unset: { claim: 1 }, $inc: { attempts: -1 } });
    },
  };
}
