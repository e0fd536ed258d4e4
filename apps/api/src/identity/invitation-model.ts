import { Schema, type Connection, type InferSchemaType, type Types } from 'mongoose';

const invitationSchema = new Schema(
  {
    organization_id: { type: Schema.Types.ObjectId, required: true },
    email: { type: String, required: true },
    role: { type: String, enum: ['admin', 'member', 'viewer'] as const, required: true },
    token_hash: { type: String, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: 'invitations', versionKey: false },
);
invitationSchema.index({ token_hash: 1 }, { unique: true });
invitationSchema.index({ organization_id: 1, email: 1 }, { unique: true });
invitationSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export type InvitationRecord = InferSchemaType<typeof invitationSchema> & { _id: Types.ObjectId };
export const invitationModel = (connection: Connection) => connection.model('Invitation', invitationSchema);
