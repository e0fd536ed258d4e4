import type { Role } from '@docwright/contract';
import { Schema, type Connection, type Model, type Types } from 'mongoose';

export interface MemberRecord {
  user_id: Types.ObjectId;
  role: Role;
  joined_at: Date;
}

/** Members live inside their organization, so that "the last admin cannot go" is one atomic update. */
export interface OrganizationRecord {
  _id: Types.ObjectId;
  name: string;
  auto_create_default: boolean;
  created_at: Date;
  members: MemberRecord[];
}

const memberSchema = new Schema<MemberRecord>(
  {
    user_id: { type: Schema.Types.ObjectId, required: true },
    role: { type: String, enum: ['admin', 'member', 'viewer'], required: true },
    joined_at: { type: Date, required: true },
  },
  { _id: false },
);

const organizationSchema = new Schema<OrganizationRecord>(
  {
    name: { type: String, required: true },
    auto_create_default: { type: Boolean, required: true, default: false },
    created_at: { type: Date, required: true },
    members: { type: [memberSchema], required: true },
  },
  { collection: 'organizations', versionKey: false },
);
organizationSchema.index({ 'members.user_id': 1 });

export const organizationModel = (connection: Connection): Model<OrganizationRecord> =>
  connection.model<OrganizationRecord>('Organization', organizationSchema);
