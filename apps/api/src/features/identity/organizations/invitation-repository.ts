import type { Role } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { readPage, type PageSelection } from '../../../platform/database/page.ts';
import { invitationModel, type InvitationRecord } from './invitation-model.ts';
import { presentEach } from '../../../platform/records/unreadable-records.ts';

export interface StoredInvitation {
  id: string;
  organizationId: string;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
}
export type InvitationRepository = ReturnType<typeof createInvitationRepository>;

export function createInvitationRepository(connection: Connection) {
  const invitations = invitationModel(connection);
  /** Older invitations have no inviter, whose role could be checked. */
  const open = () => ({ invited_by: { $ne: null }, expires_at: { $gt: new Date() } });
  return {
    /** A newer invitation of the same address to the same organization replaces the older one. */
    async save(
      { organizationId, email, role, invitedBy, expiresAt }: Omit<StoredInvitation, 'id' | 'createdAt'>,
      tokenHash: string,
    ): Promise<StoredInvitation> {
      const record = await invitations
        .findOneAndUpdate(
          { organization_id: organizationId, email },
          {
            $set: {
              role,
              invited_by: invitedBy,
              created_at: new Date(),
              token_hash: tokenHash,
              expires_at: expiresAt,
            },
          },
          { upsert: true, returnDocument: 'after' },
        )
        .lean();
      return toInvitation(record);
    },

    async find(tokenHash: string): Promise<StoredInvitation | undefined> {
      const record = await invitations.findOne({ token_hash: tokenHash, ...open() }).lean();
      return record === null ? undefined : toInvitation(record);
    },

    /** Usable invitations, newest first. */
    async list(organizationId: string, page: PageSelection) {
      const filter = { organization_id: organizationId, ...open() };
      const { records, end } = await readPage(invitations, filter, { ...page, sort: { created_at: -1, _id: -1 } });
      return { invitations: presentEach(records, toInvitation), end };
    },

    async remove(tokenHash: string): Promise<void> {
      await invitations.deleteOne({ token_hash: tokenHash });
    },

    /** False if the organization has no such invitation. */
    async revoke(organizationId: string, invitationId: string): Promise<boolean> {
      const { deletedCount } = await invitations.deleteOne({ _id: invitationId, organization_id: organizationId });
      return deletedCount === 1;
    },

    async deleteOfInviter(organizationId: string, userId: string): Promise<void> {
      await invitations.deleteMany({ organization_id: organizationId, invited_by: userId });
    },
  };
}

function toInvitation(record: InvitationRecord): StoredInvitation {
  return {
    id: record._id.toHexString(),
    organizationId: record.organization_id.toHexString(),
    email: record.email,
    role: record.role,
    invitedBy: record.invited_by?.toHexString() ?? '',
    createdAt: record.created_at ?? record._id.getTimestamp(),
    expiresAt: record.expires_at,
  };
}
