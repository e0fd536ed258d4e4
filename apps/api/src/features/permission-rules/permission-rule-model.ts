import type { PermissionEffect, PermissionScope } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

export interface PermissionRuleRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  /** The creator. A rule of a thread or document applies only to this user. */
  user_id: Types.ObjectId;
  tool: string;
  /** The condition as JSON text: its values could have keys with a meaning for the database. */
  when?: string;
  effect: PermissionEffect;
  scope: PermissionScope;
  thread_id?: Types.ObjectId;
  document_id?: Types.ObjectId;
  created_at: Date;
}

const id = { type: mongoose.Schema.Types.ObjectId, required: true };
const text = { type: String, required: true };

const permissionRuleSchema = new mongoose.Schema<PermissionRuleRecord>(
  {
    organization_id: id,
    user_id: id,
    tool: text,
    when: { type: String },
    effect: text,
    scope: text,
    thread_id: { type: mongoose.Schema.Types.ObjectId },
    document_id: { type: mongoose.Schema.Types.ObjectId },
    created_at: { type: Date, required: true },
  },
  { collection: 'permission_rules', versionKey: false, autoIndex: false },
);
permissionRuleSchema.index({ organization_id: 1, scope: 1, user_id: 1 });

export function permissionRuleModel(connection: Connection): Model<PermissionRuleRecord> {
  return (
    connection.models['PermissionRule'] ??
    connection.model<PermissionRuleRecord>('PermissionRule', permissionRuleSchema)
  );
}
