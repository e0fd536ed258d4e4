import type { Role, TokenScope } from '@docwright/contract';
import { Schema, type Connection, type Model, type Types } from 'mongoose';

export interface AccessTokenRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  /** The creator, in whose name it acts; it ends with their membership. */
  user_id: Types.ObjectId;
  name: string;
  role: Role;
  /** Absent in older tokens, which have all scopes. */
  scopes?: TokenScope[];
  token_hash: string;
  prefix: string;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
}

const accessTokenSchema = new Schema<AccessTokenRecord>(
  {
    organization_id: { type: Schema.Types.ObjectId, required: true },
    user_id: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    role: { type: String, enum: ['admin', 'member', 'viewer'], required: true },
    scopes: { type: [String], default: undefined },
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

export const accessTokenModel = (connection: Connection): Model<AccessTokenRecord> =>
  connection.model<AccessTokenRecord>('AccessToken', accessTokenSchema);
