import { outboxEvent, toOutbox } from '../../event-log/index.ts';
import type { UnreadPart } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { createDocumentClaims, firstOf, type TextClaim } from './document-claim-repository.ts';
import type { PageFindings } from './page-repository.ts';
import type { ReadingOrder } from './text-queue-repository.ts';

/**
 * Documents of all organizations with pages to be recognised. The documents' records are the queue. The holder of a
 * claim releases it after a while and the document that has waited longest is next, so that a long scan does not block
 * the others.
 */
export type RecognitionQueueRepository = ReturnType<typeof createRecognitionQueueRepository>;

const present = { deleted_at: null };
const waiting = { ...present, state: 'ocr_processing', ocr_turn: { $ne: null } };

export function createRecognitionQueueRepository(connection: Connection, leaseMs?: number) {
  const claims = createDocumentClaims(connection, leaseMs);

  return {
    /** Before all others, a document that a user waits for: of the first user in this order. */
    async claimNext(inOrder: ReadingOrder['users'] = (users) => [...users]): Promise<TextClaim | undefined> {
      for (const user of inOrder(await claims.usersWithFirst(waiting))) {
        const claim = await claims.claimFirst({ ...waiting, ...firstOf(user) }, { ocr_turn: 1 });
        if (claim !== undefined) return claim;
      }
      return await claims.claimFirst(waiting, { ocr_turn: 1 });
    },
    /** Whether a document that a user waits for has no claim. */
    hasFirst: (): Promise<boolean> => claims.hasFirst({ ...waiting, 'claim.token': null }),
    /** Renews the claim. Returns false if the document or the claim no longer exists. */
    renew: (claim: TextClaim): Promise<boolean> => claims.renew(claim, {}, present),
    /** Renews the claim, stores progress and resets the attempts, since the document did not kill its reader. */
    progress: (claim: TextClaim, pagesDone: number): Promise<boolean> =>
      claims.renew(claim, { pages_done: pagesDone, attempts: 1 }, present),
    /** Renews the claim and stores what was found beside the text. Returns false if the claim no longer exists. */
    noteFindings: (claim: TextClaim, findings: PageFindings): Promise<boolean> =>
      claims.renew(claim, { ...findings }, present),
    async complete(claim: TextClaim, unread: UnreadPart[]): Promise<boolean> {
      const set = { state: 'ocr_completed', ocr_turn: null, unread };
      const ready = toOutbox(outboxEvent('document.ready'));
      return await claims.release(
        claim,
        { $set: set, $unset: { state_error: 1, read_first_in: 1 }, ...ready },
        present,
      );
    },
    async fail(claim: TextClaim, error: { code: string; message: string }): Promise<boolean> {
      const set = { state: 'ocr_failed', state_error: error, ocr_turn: null };
      const failed = toOutbox(outboxEvent('document.failed', { code: error.code }));
      return await claims.release(claim, { $set: set, $unset: { read_first_in: 1 }, ...failed }, present);
    },
    /** Moves the document to the end of the queue. */
    async release(claim: TextClaim): Promise<void> {
      await claims.release(claim, { $set: { ocr_turn: new Date() }, $inc: { attempts: -1 } }, present);
    },
  };
}
