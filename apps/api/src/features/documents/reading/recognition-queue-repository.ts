import type { Connection } from 'mongoose';
import { createDocumentClaims, type TextClaim } from './document-claim-repository.ts';

/**
 * Documents of all organizations with pages to be recognised. As with text, the document's own record is the queue; but
 * whoever holds a claim gives it back after a while, and the document that has waited longest is next, so that a long
 * scan does not hold up the others.
 */
export interface RecognitionQueueRepository {
  claimNext(): Promise<TextClaim | undefined>;
  /** Renews the claim; false when the document or the claim is gone. */
  renew(claim: TextClaim): Promise<boolean>;
  /** Renews the claim and notes that more pages are done, so that the document is not to blame for what comes after. */
  progress(claim: TextClaim, pagesDone: number): Promise<boolean>;
  complete(claim: TextClaim): Promise<boolean>;
  fail(claim: TextClaim, error: { code: string; message: string }): Promise<boolean>;
  /** Gives the document back, to the end of the queue. */
  release(claim: TextClaim): Promise<void>;
}

export function createRecognitionQueueRepository(connection: Connection): RecognitionQueueRepository {
  const claims = createDocumentClaims(connection);
  const change = (claim: TextClaim, update: Record<string, unknown>): Promise<boolean> =>
    claims.change(claim, update, { deleted_at: null });

  return {
    async claimNext() {
      const waiting = { deleted_at: null, state: 'ocr_processing', ocr_turn: { $ne: null }, claim: null } as const;
      return await claims.claimFirst(waiting, { ocr_turn: 1 });
    },
    async renew(claim) {
      return await change(claim, { $inc: { 'claim.beat': 1 } });
    },
    async progress(claim, pagesDone) {
      return await change(claim, { $set: { pages_done: pagesDone, attempts: 1 }, $inc: { 'claim.beat': 1 } });
    },
    async complete(claim) {
      const set = { state: 'ocr_completed', ocr_turn: null };
      return await change(claim, { $set: set, $unset: { state_error: 1, claim: 1 } });
    },
    async fail(claim, error) {
      const set = { state: 'ocr_failed', state_error: error, ocr_turn: null };
      return await change(claim, { $set: set, $unset: { claim: 1 } });
    },
    async release(claim) {
      await change(claim, { $set: { ocr_turn: new Date() }, $unset: { claim: 1 }, $inc: { attempts: -1 } });
    },
  };
}
