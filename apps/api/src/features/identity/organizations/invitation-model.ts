import type { Role } from '@docwright/contract';
import { Schema, type Connection, type Model, type Types } from 'mongoose';

export interface InvitationRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  email: string;
  role: Role;
  /** The inviting admin. An invitation ends with their role; without an inviter it cannot be used. */
  invited_by?: Types.ObjectId;
  created_at?: Date;
  token_hash: string;
  expires_at: Date;
}

const invitationSchema = new Schema<InvitationRecord>(
  {
    organization_id: { type: Schema.Types.ObjectId, required: true },
    email: { type: String, required: true },
    role: { type: String, enum: ['admin', 'member', 'viewer'], required: true },
    invited_by: { type: Schema.Types.ObjectId },
    created_at: { type: Date },
    token_hash: { type: String, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: 'invitations', versionKey: false },
);
invitationSchema.index({ token_hash: 1 }, { unique: true });
invitationSchema.index({ organization_id: 1, email: 1 }, { unique: true });
invitationSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const invitationModel = (connection: Connection): Model<InvitationRecord> =>
  connection.model<InvitationRecord>('Invitation', invitationSchema);
