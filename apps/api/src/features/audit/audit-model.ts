import type { AuditDecision, AuditKind, WriteOriginInfo } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

export interface AuditEntryRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  at: Date;
  kind: AuditKind;
  actor: Types.ObjectId;
  document_id?: Types.ObjectId;
  thread_id?: Types.ObjectId;
  turn_id?: Types.ObjectId;
  call_id: string;
  tool: string;
  arguments: string;
  /** The arguments were truncated. */
  is_partial?: boolean;
  decision?: AuditDecision;
  rule_id?: string;
  plan?: { plan_id: string; step_id: string; title: string; approved_by: string };
  /** JSON: its keys are paths. */
  provenance?: string;
  success?: boolean;
  error?: string;
  headless?: true;
  via?: 'mcp';
  /** Absent if `via`, `headless` and `thread_id` determine it. */
  origin?: WriteOriginInfo;
  token?: { id: string; name: string };
}

const id = { type: mongoose.Schema.Types.ObjectId, required: true };
const text = { type: String, required: true };

const auditEntrySchema = new mongoose.Schema<AuditEntryRecord>(
  {
    organization_id: id,
    at: { type: Date, required: true },
    kind: text,
    actor: id,
    document_id: { type: mongoose.Schema.Types.ObjectId },
    thread_id: { type: mongoose.Schema.Types.ObjectId },
    turn_id: { type: mongoose.Schema.Types.ObjectId },
    call_id: text,
    tool: text,
    arguments: text,
    is_partial: { type: Boolean },
    decision: { type: String },
    rule_id: { type: String },
    plan: { type: mongoose.Schema.Types.Mixed },
    provenance: { type: String },
    success: { type: Boolean },
    error: { type: String },
    headless: { type: Boolean },
    via: { type: String },
    origin: { type: mongoose.Schema.Types.Mixed },
    token: { type: mongoose.Schema.Types.Mixed },
  },
  { collection: 'audit_entries', versionKey: false, autoIndex: false },
);
// A step that a retry or another process records again is the same step.
auditEntrySchema.index({ organization_id: 1, call_id: 1, kind: 1 }, { unique: true });
auditEntrySchema.index({ organization_id: 1, at: -1, _id: -1 });
auditEntrySchema.index({ organization_id: 1, kind: 1, at: -1, _id: -1 });
auditEntrySchema.index({ organization_id: 1, tool: 1, at: -1, _id: -1 });
auditEntrySchema.index({ organization_id: 1, thread_id: 1, at: -1, _id: -1 });
auditEntrySchema.index({ organization_id: 1, actor: 1, at: -1, _id: -1 });
auditEntrySchema.index({ organization_id: 1, document_id: 1, at: -1, _id: -1 });
auditEntrySchema.index({ organization_id: 1, tool: 1, at: -1, _id: -1 });
auditEntrySchema.index({ organization_id: 1, turn_id: 1, at: -1, _id: -1 });

export function auditEntryModel(connection: Connection): Model<AuditEntryRecord> {
  return connection.models['AuditEntry'] ?? connection.model<AuditEntryRecord>('AuditEntry', auditEntrySchema);
}
