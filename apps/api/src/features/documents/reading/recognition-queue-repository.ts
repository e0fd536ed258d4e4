import { outboxEvent, toOutbox } from '../../event-log/index.ts';
import type { UnreadPart } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { createDocumentClaims, type TextClaim } from './document-claim-repository.ts';
import type { PageFindings } from './page-repository.ts';

/**
 * Documents of all organizations with pages to be recognised. The documents' records are the queue. The holder of a
 * claim releases it after a while and the document that has waited longest is next, so that a long scan does not block
 * the others.
 */
export interface RecognitionQueueRepository {
  /** Before all others, a document that a user waits for. */
  claimNext(): Promise<TextClaim | undefined>;
  /** Whether a document that a user waits for has no claim. */
  hasFirst(): Promise<boolean>;
  /** Renews the claim. Returns false if the document or the claim no longer exists. */
  renew(claim: TextClaim): Promise<boolean>;
  /** Renews the claim, stores progress and resets the attempts, since the document did not kill its reader. */
  progress(claim: TextClaim, pagesDone: number): Promise<boolean>;
  /** Renews the claim and stores what was found beside the text. Returns false if the claim no longer exists. */
  noteFindings(claim: TextClaim, findings: PageFindings): Promise<boolean>;
  complete(claim: TextClaim, unread: UnreadPart[]): Promise<boolean>;
  fail(claim: TextClaim, error: { code: string; message: string }): Promise<boolean>;
  /** Moves the document to the end of the queue. */
  release(claim: TextClaim): Promise<void>;
}

const present = { deleted_at: null };
const waiting = { ...present, state: 'ocr_processing', ocr_turn: { $ne: null } };

export function createRecognitionQueueRepository(connection: Connection, leaseMs?: number): RecognitionQueueRepository {
  const claims = createDocumentClaims(connection, leaseMs);

  return {
    async claimNext() {
      for (const organizationId of await claims.organizationsWithFirst(waiting)) {
        const read_first_in = new mongoose.Types.ObjectId(organizationId);
        const claim = await claims.claimFirst({ ...waiting, read_first_in }, { ocr_turn: 1 });
        if (claim !== undefined) return claim;
      }
      return await claims.claimFirst(waiting, { ocr_turn: 1 });
    },
    async hasFirst() {
      return (await claims.organizationsWithFirst({ ...waiting, 'claim.token': null })).length > 0;
    },
    renew: (claim) => claims.renew(claim, {}, present),
    progress: (claim, pagesDone) => claims.renew(claim, { pages_done: pagesDone, attempts: 1 }, present),
    noteFindings: (claim, findings) => claims.renew(claim, { ...findings }, present),
    async complete(claim, unread) {
      const set = { state: 'ocr_completed', ocr_turn: null, unread };
      const ready = toOutbox(outboxEvent('document.ready'));
      return await claims.release(
        claim,
        { $set: set, $unset: { state_error: 1, read_first_in: 1 }, ...ready },
        present,
      );
    },
    async fail(claim, error) {
      const set = { state: 'ocr_failed', state_error: error, ocr_turn: null };
      const failed = toOutbox(outboxEvent('document.failed', { code: error.code }));
      return await claims.release(claim, { $set: set, $unset: { read_first_in: 1 }, ...failed }, present);
    },
    async release(claim) {
      await claims.release(claim, { $set: { ocr_turn: new Date() }, $inc: { attempts: -1 } }, present);
    },
  };
}
