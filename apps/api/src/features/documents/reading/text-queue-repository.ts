import type { UnreadPart } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { createDocumentClaims, type TextClaim } from './document-claim-repository.ts';

/** Documents of all organizations that wait for their text. */
export interface TextQueueRepository {
  claimNext(): Promise<TextClaim | undefined>;
  /** Renews the claim. Returns false if the document or the claim no longer exists. */
  renew(claim: TextClaim): Promise<boolean>;
  /** Renews the claim and stores progress. Returns false if the document or the claim no longer exists. */
  progress(claim: TextClaim, pagesDone: number, pageCount: number): Promise<boolean>;
  complete(claim: TextClaim, unread: UnreadPart[], pageCount: number): Promise<boolean>;
  /** Passes the document to the recognition of its pages without a text layer. `unread` is what is on no page. */
  passToRecognition(claim: TextClaim, pageCount: number, pagesDone: number, unread: UnreadPart[]): Promise<boolean>;
  fail(claim: TextClaim, error: { code: string; message: string }, pageCount?: number): Promise<boolean>;
  /** Requeues the document, to be read from the start. */
  release(claim: TextClaim): Promise<void>;
}

export function createTextQueueRepository(connection: Connection, leaseMs?: number): TextQueueRepository {
  const claims = createDocumentClaims(connection, leaseMs);

  return {
    async claimNext() {
      const set = { state: 'ocr_processing', pages_done: 0 };
      return await claims.claimFirst({ deleted_at: null, state: 'uploaded' }, { upload_date: 1 }, set);
    },
    renew: (claim) => claims.renew(claim),
    progress: (claim, pagesDone, pageCount) => claims.renew(claim, { pages_done: pagesDone, page_count: pageCount }),
    async complete(claim, unread, pageCount) {
      const set = { state: 'ocr_completed', page_count: pageCount, pages_done: pageCount, unread };
      return await claims.release(claim, { $set: set, $unset: { state_error: 1 } });
    },
    async passToRecognition(claim, pageCount, pagesDone, unread) {
      const set = { page_count: pageCount, pages_done: pagesDone, unread, ocr_turn: new Date(), attempts: 0 };
      return await claims.release(claim, { $set: set, $unset: { state_error: 1 } });
    },
    async fail(claim, error, pageCount) {
      const counted = pageCount === undefined ? {} : { page_count: pageCount, pages_done: pageCount };
      return await claims.release(claim, { $set: { state: 'ocr_failed', state_error: error, ...counted } });
    },
    async release(claim) {
      await claims.release(claim, { $set: { state: 'uploaded' }, $inc: { attempts: -1 } });
    },
  };
}
