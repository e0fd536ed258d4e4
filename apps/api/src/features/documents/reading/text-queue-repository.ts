import type { UnreadPart } from '@docwright/contract';
import { outboxEvent, toOutbox } from '../../event-log/index.ts';
import mongoose, { type Connection } from 'mongoose';
import { withCalls } from '../../../turn-writes/write-origin.ts';
import { documentModel } from '../records/document-model.ts';
import { createDocumentClaims, firstOf, type TextClaim, type WaitingUser } from './document-claim-repository.ts';
import type { PageFindings } from './page-repository.ts';

/** Documents start in the quick lane, and leave it for the long one if they take too long. */
export type ReadingLane = 'quick' | 'long';

/** The order in which organizations, and users of all of them, have their turn. */
export interface ReadingOrder {
  organizations: (ids: readonly string[]) => string[];
  users: (users: readonly WaitingUser[]) => WaitingUser[];
}

/** Documents of all organizations that wait for their text. */
export type TextQueueRepository = ReturnType<typeof createTextQueueRepository>;

export function createTextQueueRepository(connection: Connection, leaseMs?: number) {
  const claims = createDocumentClaims(connection, leaseMs);

  return {
    /**
     * Claims the document that waits longest, of the first organization in this order that has one in the lane: before all
     * others, those that a user waits for, of the first user in this order.
     */
    async claimNext(lane: ReadingLane, inOrder: ReadingOrder): Promise<TextClaim | undefined> {
      const set = { state: 'ocr_processing', pages_done: 0 };
      const reading_lane = lane === 'long' ? 'long' : { $ne: 'long' };
      const waiting = { deleted_at: null, state: 'uploaded', duplicate_of: null, reading_lane };
      for (const user of inOrder.users(await claims.usersWithFirst(waiting))) {
        const claim = await claims.claimFirst({ ...waiting, ...firstOf(user) }, { upload_date: 1 }, set);
        if (claim !== undefined) return claim;
      }
      for (const organizationId of inOrder.organizations(await claims.organizationsOf(waiting))) {
        const organization_id = new mongoose.Types.ObjectId(organizationId);
        const claim = await claims.claimFirst({ ...waiting, organization_id }, { upload_date: 1 }, set);
        if (claim !== undefined) return claim;
      }
      return undefined;
    },
    /** Renews the claim. Returns false if the document or the claim no longer exists. */
    renew: (claim: TextClaim): Promise<boolean> => claims.renew(claim),
    /** Renews the claim and stores progress. Returns false if the document or the claim no longer exists. */
    progress: (claim: TextClaim, pagesDone: number, pageCount: number): Promise<boolean> =>
      claims.renew(claim, { pages_done: pagesDone, page_count: pageCount }),
    /** Renews the claim and stores what was found beside the text. Returns false if the claim no longer exists. */
    noteFindings: (claim: TextClaim, findings: PageFindings): Promise<boolean> => claims.renew(claim, { ...findings }),
    async complete(claim: TextClaim, unread: UnreadPart[], pageCount: number): Promise<boolean> {
      const set = { state: 'ocr_completed', page_count: pageCount, pages_done: pageCount, unread };
      const ready = toOutbox(outboxEvent('document.ready'));
      return await claims.release(claim, { $set: set, $unset: { state_error: 1, read_first_in: 1 }, ...ready });
    },
    /** Passes the document to the recognition of its pages without a text layer. `unread` is what is on no page. */
    async passToRecognition(
      claim: TextClaim,
      pageCount: number,
      pagesDone: number,
      unread: UnreadPart[],
    ): Promise<boolean> {
      const set = { page_count: pageCount, pages_done: pagesDone, unread, ocr_turn: new Date(), attempts: 0 };
      return await claims.release(claim, { $set: set, $unset: { state_error: 1 } });
    },
    async fail(claim: TextClaim, error: { code: string; message: string }, pageCount?: number): Promise<boolean> {
      const counted = pageCount === undefined ? {} : { page_count: pageCount, pages_done: pageCount };
      const failed = toOutbox(outboxEvent('document.failed', { code: error.code }));
      const set = { state: 'ocr_failed', state_error: error, ...counted };
      return await claims.release(claim, { $set: set, $unset: { read_first_in: 1 }, ...failed });
    },
    /** Queues a document that failed with this file, to be read from another one. Returns false if it has changed since. */
    async readFrom(
      documentId: string,
      failedFileId: string,
      { file_id, size_bytes }: { file_id: string; size_bytes: number },
      callIds?: readonly string[],
    ): Promise<boolean> {
      const [_id, failed, file] = [documentId, failedFileId, file_id].map((id) => new mongoose.Types.ObjectId(id));
      const { modifiedCount } = await documentModel(connection).updateOne(
        { _id: _id!, file_id: failed!, state: 'ocr_failed', deleted_at: null },
        {
          $set: { file_id: file!, size_bytes, state: 'uploaded', attempts: 0 },
          $unset: { state_error: 1 },
          ...withCalls(callIds),
        },
      );
      return modifiedCount === 1;
    },
    /** Requeues the document, to be read from the start, in its lane or in the long one. */
    async release(claim: TextClaim, lane?: 'long'): Promise<void> {
      const set = { state: 'uploaded', ...(lane && { reading_lane: lane }) };
      await claims.release(claim, { $set: set, $inc: { attempts: -1 } });
    },
  };
}
