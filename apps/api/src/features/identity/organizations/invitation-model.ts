import type { Role } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';

export type InvitationRecord = StoredRecord<typeof invitationSchema>;

const invitationSchema = recordSchema(
  {
    organization_id: field.objectId,
    email: field.text,
    role: field.oneOf<Role>('admin', 'member', 'viewer'),
    /** The inviting admin. An invitation ends with their role; without an inviter it cannot be used. */
    invited_by: field.objectId.optional(),
    created_at: field.date.optional(),
    token_hash: field.text,
    expires_at: field.date,
  },
  { collection: 'invitations' },
);
invitationSchema.index({ token_hash: 1 }, { unique: true });
invitationSchema.index({ organization_id: 1, email: 1 }, { unique: true });
invitationSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const invitationModel = modelOf('Invitation', invitationSchema);
