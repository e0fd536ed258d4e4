import type { MachineData, UnreadPart } from '@docwright/contract';
import { organizationsWith } from '../../../platform/leases/organizations-with.ts';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { literal } from '../../../platform/database/database-clock.ts';
import { createLeases } from '../../../platform/leases/leases.ts';
import { documentModel, type DocumentRecord } from '../records/document-model.ts';

/** A document that this process reads. */
export interface TextClaim {
  organizationId: string;
  documentId: string;
  mimeType: string;
  fileId: string;
  token: string;
  /** Counts from 1. */
  attempt: number;
  /** Who uploaded it. */
  userId: string;
  /** Whether a user waits for it, as one of a few documents. */
  isFirst: boolean;
  /** How deep it is inside of other documents; 0 for one that was uploaded. */
  depth: number;
  includesAttachments: boolean;
  /** What is known to be unread and is on no page. */
  unread: UnreadPart[];
  /** Its machine-readable data that is on no page. */
  machineData: MachineData[];
}

/** A user with documents that wait. */
export interface WaitingUser {
  organizationId: string;
  userId: string;
}

/** Selects the documents of a user that are read first. */
export const firstOf = ({ organizationId, userId }: WaitingUser) => ({
  read_first_in: new mongoose.Types.ObjectId(organizationId),
  uploaded_by: new mongoose.Types.ObjectId(userId),
});

type Update = mongo.UpdateFilter<mongo.BSON.Document>;
type Filter = Record<string, unknown>;

/** Before the id of every organization, so that the index of the few is read and not the queue. */
const noOrganization = new mongoose.Types.ObjectId('0'.repeat(24));

/** How long a claim is valid without a renewal. */
const claimMs = 20_000;

/**
 * Claims on documents of all organizations. The documents' records are the queue, and a claim is a lease on one. Later
 * steps succeed only for the holder of the claim.
 */
export function createDocumentClaims(connection: Connection, leaseMs = claimMs) {
  const { collection } = documentModel(connection);
  const fields = { token: 'claim.token', until: 'claim.until', holder: 'claim.holder' };
  const leases = createLeases<DocumentRecord>(collection, fields);
  const one = ({ organizationId, documentId }: TextClaim) => ({
    organization_id: new mongoose.Types.ObjectId(organizationId),
    _id: new mongoose.Types.ObjectId(documentId),
  });

  return {
    /** The organizations of the `waiting` documents. One after the other, since all documents of one may wait. */
    async organizationsOf(waiting: Filter): Promise<string[]> {
      const found: string[] = [];
      for await (const organization of organizationsWith(collection, waiting)) found.push(organization.toHexString());
      return found;
    },
    /** Whose documents are among those of the `waiting` that are read first. */
    async usersWithFirst(waiting: Filter): Promise<WaitingUser[]> {
      const first = { ...waiting, read_first_in: { $gt: noOrganization } };
      const groups = await collection
        .aggregate<{ _id: { organization: mongoose.Types.ObjectId; user: mongoose.Types.ObjectId } }>([
          { $match: first },
          { $group: { _id: { organization: '$read_first_in', user: '$uploaded_by' } } },
        ])
        .toArray();
      // A document whose user is damaged has its turn with the others of its organization.
      return groups
        .filter(({ _id }) => _id.user instanceof mongoose.Types.ObjectId)
        .map(({ _id: { organization, user } }) => ({
          organizationId: organization.toHexString(),
          userId: user.toHexString(),
        }));
    },
    /** Whether any of the `waiting` documents is read first. */
    async hasFirst(waiting: Filter): Promise<boolean> {
      const first = { ...waiting, read_first_in: { $gt: noOrganization } };
      return (await collection.findOne(first, { projection: { _id: 1 } })) !== null;
    },
    /** Claims the first of the `waiting` documents without a valid claim. */
    async claimFirst(waiting: Filter, sort: Record<string, 1>, set: Filter = {}): Promise<TextClaim | undefined> {
      const attempts = { $ifNull: ['$attempts', 0] };
      // What is no number is greater than all numbers.
      const next = { $cond: [{ $lt: [attempts, 1e9] }, { $add: [attempts, 1] }, 1] };
      for (;;) {
        const counted = { ...literal(set), attempts: next };
        const claim = await leases.claim(waiting, { milliseconds: leaseMs, sort, set: counted });
        if (claim === undefined) return undefined;
        const sound = soundClaim(claim.record, claim.token);
        if (sound !== undefined) return sound;
        // A damaged document holds up no other.
        const failed = { $set: { state: 'ocr_failed', state_error: damaged }, $unset: { read_first_in: 1 } } as Update;
        await leases.release({ _id: claim.record._id }, claim.token, failed);
      }
    },
    /** Renews the claim and sets fields. Returns false if the document or the claim no longer exists. */
    async renew(claim: TextClaim, set: Filter = {}, only: Filter = {}): Promise<boolean> {
      return (await leases.renew({ ...only, ...one(claim) }, claim.token, leaseMs, literal(set))) !== undefined;
    },
    /** Ends the claim with a last update. Returns false if the document or the claim no longer exists. */
    async release(claim: TextClaim, update: Update, only: Filter = {}): Promise<boolean> {
      return await leases.release({ ...only, ...one(claim) }, claim.token, update);
    },
    /** Requeues documents whose readers have died: for reading from the start, or for further recognition. Returns their number. */
    async requeueOrphans(): Promise<number> {
      for (let count = 0; ; count += 1) {
        const held = { state: 'ocr_processing', 'claim.token': { $gt: '' } };
        const claim = await leases.claim(held, { milliseconds: leaseMs, isRare: true });
        if (claim === undefined) return count;
        const { _id, organization_id, ocr_turn } = claim.record;
        await leases.release({ organization_id, _id }, claim.token, ocr_turn ? {} : { $set: { state: 'uploaded' } });
      }
    },
  };
}

const damaged = {
  code: 'internal_error',
  message: 'The record of this document is damaged. Upload its file again.',
};

/** Undefined if the record is damaged. */
function soundClaim(record: DocumentRecord, token: string): TextClaim | undefined {
  try {
    return {
      organizationId: record.organization_id.toHexString(),
      documentId: record._id.toHexString(),
      mimeType: record.mime_type,
      fileId: record.file_id.toHexString(),
      token,
      attempt: record.attempts,
      userId: String(record.uploaded_by),
      isFirst: record.read_first_in !== undefined,
      depth: record.attached_path?.length ?? 0,
      includesAttachments: record.include_attachments !== false,
      unread: record.unread ?? [],
      machineData: (record.machine_data ?? []).filter(({ page_num }) => page_num === undefined),
    };
  } catch {
    return undefined;
  }
}
