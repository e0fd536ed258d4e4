import type { EvaluateBeforeApproval, OnAsk, OnDuplicate, Role } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';

/** Defaults of an organization, also for older records. */
export const defaultEvaluationSettings = { mode: 'ask' as EvaluateBeforeApproval, budgetSpu: 500, askAbove: 10 };

/** Members live inside their organization, so that "the last admin cannot go" is one atomic update. */
export type OrganizationRecord = StoredRecord<typeof organizationSchema>;

const member = {
  user_id: field.objectId,
  role: field.oneOf<Role>('admin', 'member', 'viewer'),
  joined_at: field.date,
};

const organizationSchema = recordSchema(
  {
    name: field.text,
    auto_create_default: field.flag.default(false),
    auto_create_on_ask: field.oneOf<OnAsk>().optional(),
    on_duplicate: field.oneOf<OnDuplicate>().optional(),
    time_zone: field.text.optionalOrNull(),
    language: field.text.optionalOrNull(),
    evaluate_before_approval: field.oneOf<EvaluateBeforeApproval>().default(defaultEvaluationSettings.mode),
    evaluation_budget_spu: field.number.default(defaultEvaluationSettings.budgetSpu),
    evaluation_ask_above: field.number.optional(),
    require_second_factor: field.flag.optional(),
    /** Absent if conversations are kept for ever. */
    keep_conversations_days: field.number.optional(),
    /** The admin who set it, on whose behalf conversations are removed. */
    keep_conversations_set_by: field.objectId.optional(),
    created_at: field.date,
    members: field.part(member).list(),
  },
  { collection: 'organizations' },
);
organizationSchema.index({ 'members.user_id': 1 });

export const organizationModel = modelOf('Organization', organizationSchema);
