import type { EvaluateBeforeApproval, OnAsk, OnDuplicate, Role } from '@docwright/contract';
import { Schema, type Connection, type Model, type Types } from 'mongoose';

interface MemberRecord {
  user_id: Types.ObjectId;
  role: Role;
  joined_at: Date;
}

/** Defaults of an organization, also for older records. */
export const defaultEvaluationSettings = { mode: 'ask' as EvaluateBeforeApproval, budgetSpu: 500, askAbove: 10 };

/** Members live inside their organization, so that "the last admin cannot go" is one atomic update. */
export interface OrganizationRecord {
  _id: Types.ObjectId;
  name: string;
  auto_create_default: boolean;
  auto_create_on_ask?: OnAsk;
  on_duplicate?: OnDuplicate;
  time_zone?: string | null;
  language?: string | null;
  evaluate_before_approval: EvaluateBeforeApproval;
  evaluation_budget_spu: number;
  evaluation_ask_above?: number;
  require_second_factor?: boolean;
  /** Absent if conversations are kept for ever. */
  keep_conversations_days?: number;
  /** The admin who set it, on whose behalf conversations are removed. */
  keep_conversations_set_by?: Types.ObjectId;
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
    auto_create_on_ask: { type: String },
    on_duplicate: { type: String },
    time_zone: { type: String },
    language: { type: String },
    evaluate_before_approval: { type: String, required: true, default: defaultEvaluationSettings.mode },
    evaluation_budget_spu: { type: Number, required: true, default: defaultEvaluationSettings.budgetSpu },
    evaluation_ask_above: { type: Number },
    require_second_factor: { type: Boolean },
    keep_conversations_days: { type: Number },
    keep_conversations_set_by: { type: Schema.Types.ObjectId },
    created_at: { type: Date, required: true },
    members: { type: [memberSchema], required: true },
  },
  { collection: 'organizations', versionKey: false },
);
organizationSchema.index({ 'members.user_id': 1 });

export const organizationModel = (connection: Connection): Model<OrganizationRecord> =>
  connection.model<OrganizationRecord>('Organization', organizationSchema);
