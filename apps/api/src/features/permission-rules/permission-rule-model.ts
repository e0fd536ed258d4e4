import type { PermissionEffect, PermissionScope } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';

export type PermissionRuleRecord = StoredRecord<typeof permissionRuleSchema>;

const permissionRuleSchema = recordSchema(
  {
    organization_id: field.objectId,
    /** The creator. A rule of a thread or document applies only to this user. */
    user_id: field.objectId,
    tool: field.text,
    /** The condition as JSON text: its values could have keys with a meaning for the database. */
    when: field.text.optional(),
    effect: field.oneOf<PermissionEffect>(),
    scope: field.oneOf<PermissionScope>(),
    thread_id: field.objectId.optional(),
    document_id: field.objectId.optional(),
    created_at: field.date,
  },
  { collection: 'permission_rules' },
);
permissionRuleSchema.index({ organization_id: 1, scope: 1, user_id: 1 });

export const permissionRuleModel = modelOf('PermissionRule', permissionRuleSchema);
