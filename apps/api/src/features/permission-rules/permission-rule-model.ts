import type { PermissionEffect, PermissionScope } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

export interface PermissionRuleRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  /** Who made it; a rule of a thread or document holds for this person alone. */
  user_id: Types.ObjectId;
  tool: string;
  /** The condition as JSON text: what it compares with may have keys that a database reads in its own way. */
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
