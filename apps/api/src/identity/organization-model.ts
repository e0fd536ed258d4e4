import { Schema, type Connection, type InferSchemaType, type Types } from 'mongoose';

const memberSchema = new Schema(
  {
    user_id: { type: Schema.Types.ObjectId, required: true },
    role: { type: String, enum: ['admin', 'member', 'viewer'] as const, required: true },
    joined_at: { type: Date, required: true },
  },
  { _id: false },
);

/** Members live inside their organization, so that "the last admin cannot go" is one atomic update. */
const organizationSchema = new Schema(
  {
    name: { type: String, required: true },
    auto_create_default: { type: Boolean, required: true, default: false },
    created_at: { type: Date, required: true },
    members: { type: [memberSchema], required: true },
  },
  { collection: 'organizations', versionKey: false },
);
organizationSchema.index({ 'members.user_id': 1 });

export type OrganizationRecord = InferSchemaType<typeof organizationSchema> & { _id: Types.ObjectId };
export const organizationModel = (connection: Connection) => connection.model('Organization', organizationSchema);
