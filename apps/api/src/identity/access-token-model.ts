import { Schema, type Connection, type InferSchemaType, type Types } from 'mongoose';

const accessTokenSchema = new Schema(
  {
    organization_id: { type: Schema.Types.ObjectId, required: true },
    /** Who made it and for whom it acts; it dies with their membership. */
    user_id: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    role: { type: String, enum: ['admin', 'member', 'viewer'] as const, required: true },
    token_hash: { type: String, required: true },
    prefix: { type: String, required: true },
    created_at: { type: Date, required: true },
    expires_at: { type: Date, default: null },
    last_used_at: { type: Date, default: null },
  },
  { collection: 'access_tokens', versionKey: false },
);
accessTokenSchema.index({ token_hash: 1 }, { unique: true });
accessTokenSchema.index({ organization_id: 1, created_at: -1 });

export type AccessTokenRecord = InferSchemaType<typeof accessTokenSchema> & { _id: Types.ObjectId };
export const accessTokenModel = (connection: Connection) => connection.model('AccessToken', accessTokenSchema);
