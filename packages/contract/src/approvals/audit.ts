import { z } from 'zod';
import { pageInfo, pageQuery, objectId, recordId, timestamp } from '../base/fields.ts';
import { originKind, writeOrigin } from '../base/write-origin.ts';
import { provenance } from '../chat/provenance.ts';

/** The step of a call that an entry records. */
export const auditKind = z.enum(['proposed', 'decided', 'executed', 'undone']);
export type AuditKind = z.infer<typeof auditKind>;

/**
 * `allow`, `ask` and `deny` are decisions of the rules; `approved`, `rejected` and `answered` are decisions of the
 * user, who is the entry's `actor`.
 */
export const auditDecision = z.enum(['allow', 'ask', 'deny', 'approved', 'rejected', 'answered']);
export type AuditDecision = z.infer<typeof auditDecision>;

/** An entry of the audit log: one step of one call. Entries never change. */
export const auditEntry = z.object({
  id: recordId,
  at: timestamp,
  kind: auditKind,
  /** The id of the user on whose behalf the call ran, or who decided or undid it. */
  actor: recordId,
  /** Absent for a call without a document. */
  document_id: recordId.optional(),
  /** Absent for a write outside of a conversation. */
  thread_id: recordId.optional(),
  turn_id: recordId.optional(),
  call_id: z.string(),
  tool: z.string(),
  /** A JSON string. Values that look secret are redacted; very long arguments are truncated. */
  arguments: z.string(),
  decision: auditDecision.optional(),
  /** The approved plan that covers the call, and the id of the user who approved it. */
  plan: z.object({ plan_id: z.string(), step_id: z.string(), title: z.string(), approved_by: z.string() }).optional(),
  /** The sources of each argument of a write. */
  provenance: provenance.optional(),
  /** The permission rule that decided, if any. */
  rule_id: recordId.optional(),
  success: z.boolean().optional(),
  error: z.string().optional(),
  /** For an unattended run: no user was asked, only the rules decided. */
  headless: z.literal(true).optional(),
  /** The channel of a call that no agent made: a client of the Model Context Protocol. */
  via: z.literal('mcp').optional(),
  /** The channel of the call. */
  origin: writeOrigin,
  /** The access token of the call; absent for a signed-in user. */
  token: z.object({ id: recordId, name: z.string() }).optional(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditList = pageInfo.extend({ entries: z.array(auditEntry) });
export const auditQuery = pageQuery.extend({
  document_id: objectId.optional(),
  turn_id: objectId.optional(),
  actor: objectId.optional(),
  origin: originKind.optional(),
  /** Only the calls of one tool, by its name. */
  tool: z.string().min(1).max(200).optional(),
});
export type AuditQuery = z.infer<typeof auditQuery>;

/** The tools of the entries that the caller can read, by name. */
export const auditTools = z.object({ tools: z.array(z.string()) });

/** With `including_verified`, documents that the write created are removed although users have verified their results. */
export const undoBody = z.strictObject({ including_verified: z.boolean().optional() }).nullish();
export type UndoBody = z.infer<typeof undoBody>;

/** The undone change. */
export const auditUndoAnswer = z.object({ undone: z.array(z.object({ call_id: z.string(), tool: z.string() })) });
export type AuditUndoAnswer = z.infer<typeof auditUndoAnswer>;
