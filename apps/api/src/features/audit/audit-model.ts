import type { AuditDecision, AuditKind, WriteOriginInfo } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';

export type AuditEntryRecord = StoredRecord<typeof auditEntrySchema>;

const auditEntrySchema = recordSchema(
  {
    organization_id: field.objectId,
    at: field.date,
    kind: field.oneOf<AuditKind>(),
    actor: field.objectId,
    document_id: field.objectId.optional(),
    thread_id: field.objectId.optional(),
    turn_id: field.objectId.optional(),
    call_id: field.text,
    tool: field.text,
    arguments: field.text,
    /** The arguments were truncated. */
    is_partial: field.flag.optional(),
    decision: field.oneOf<AuditDecision>().optional(),
    rule_id: field.text.optional(),
    plan: field.mixed<{ plan_id: string; step_id: string; title: string; approved_by: string }>().optional(),
    /** JSON: its keys are paths. */
    provenance: field.text.optional(),
    success: field.flag.optional(),
    error: field.text.optional(),
    headless: field.mark.optional(),
    via: field.oneOf<'mcp'>().optional(),
    /** Absent if `via`, `headless` and `thread_id` determine it. */
    origin: field.mixed<WriteOriginInfo>().optional(),
    token: field.mixed<{ id: string; name: string }>().optional(),
  },
  { collection: 'audit_entries' },
);
// A step that a retry or another process records again is the same step.
auditEntrySchema.index({ organization_id: 1, call_id: 1, kind: 1 }, { unique: true });
auditEntrySchema.index({ organization_id: 1, at: -1, _id: -1 });
auditEntrySchema.index({ organization_id: 1, kind: 1, at: -1, _id: -1 });
auditEntrySchema.index({ organization_id: 1, tool: 1, at: -1, _id: -1 });
auditEntrySchema.index({ organization_id: 1, thread_id: 1, at: -1, _id: -1 });
auditEntrySchema.index({ organization_id: 1, actor: 1, at: -1, _id: -1 });
// The tools of a user's entries.
auditEntrySchema.index({ organization_id: 1, actor: 1, tool: 1, at: -1, _id: -1 });
auditEntrySchema.index({ organization_id: 1, document_id: 1, at: -1, _id: -1 });
auditEntrySchema.index({ organization_id: 1, turn_id: 1, at: -1, _id: -1 });
// What determines the origin of an entry.
auditEntrySchema.index({ organization_id: 1, 'origin.kind': 1, via: 1, headless: 1, at: -1, _id: -1 });

export const auditEntryModel = modelOf('AuditEntry', auditEntrySchema);
