import type { Role } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { invitationModel } from './invitation-model.ts';

export interface Invitation {
  organizationId: string;
  email: string;
  role: Role;
}
export type InvitationRepository = ReturnType<typeof createInvitationRepository>;

export function createInvitationRepository(connection: Connection) {
  const invitations = invitationModel(connection);
  return {
    /** A newer invitation of the same person to the same organization replaces the older one. */
    async save(invitation: Invitation, tokenHash: string, expiresAt: Date): Promise<void> {
      await invitations.updateOne(
        { organization_id: invitation.organizationId, email: invitation.email },
        { $set: { role: invitation.role, token_hash: tokenHash, expires_at: expiresAt } },
        { upsert: true },
      );
    },

    async find(tokenHash: string): Promise<Invitation | undefined> {
      const record = await invitations.findOne({ token_hash: tokenHash, expires_at: { $gt: new Date() } }).lean();
      if (record === null) return undefined;
      return { organizationId: record.organization_id.toHexString(), email: record.email, role: record.role };
    },

    async remove(tokenHash: string): Promise<void> {
      await invitations.deleteOne({ token_hash: tokenHash });
    },
  };
}
