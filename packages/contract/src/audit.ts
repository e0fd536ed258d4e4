import { z } from 'zod';
import { objectId, pageInfo, pageQuery, timestamp } from './common.ts';
import { originKind, writeOrigin } from './write-origin.ts';

export const auditKind = z.enum(['proposed', 'decided', 'executed', 'undone']);
export type AuditKind = z.infer<typeof auditKind>;

/**
 * `allow`, `ask` and `deny` are what the rules said; `approved`, `rejected` and `answered` what the person did, who is
 * the `actor` of the entry.
 */
export const auditDecision = z.enum(['allow', 'ask', 'deny', 'approved', 'rejected', 'answered']);
export type AuditDecision = z.infer<typeof auditDecision>;

/** One step of one call. Entries are written once and never changed. */
export const auditEntry = z.object({
  id: z.string(),
  at: timestamp,
  kind: auditKind,
  /** The id of the person for whom it is done, or who decided or undid. */
  actor: z.string(),
  /** Absent where the call was made on no document. */
  document_id: z.string().optional(),
  /** Absent for a write outside of a conversation. */
  thread_id: z.string().optional(),
  turn_id: z.string().optional(),
  call_id: z.string(),
  tool: z.string(),
  /** A JSON string. Values that look secret are blacked out, very long arguments kept in part. */
  arguments: z.string(),
  decision: auditDecision.optional(),
  /** The permission rule that decided, where one did. */
  rule_id: z.string().optional(),
  success: z.boolean().optional(),
  error: z.string().optional(),
  /** Of a run that nobody watched: no person was asked, the rules alone decided. */
  headless: z.literal(true).optional(),
  /** By which way the call came, where it was no agent's: from a client of the Model Context Protocol. */
  via: z.literal('mcp').optional(),
  /** Through what the call came. */
  origin: writeOrigin,
  /** The access token that it was done with, where it was no person who had signed in. */
  token: z.object({ id: z.string(), name: z.string() }).optional(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditList = pageInfo.extend({ entries: z.array(auditEntry) });
export const auditQuery = pageQuery.extend({
  document_id: objectId.optional(),
  turn_id: objectId.optional(),
  actor: objectId.optional(),
  origin: originKind.optional(),
});
export type AuditQuery = z.infer<typeof auditQuery>;

/** What was taken back. */
export const auditUndoAnswer = z.object({ undone: z.array(z.object({ call_id: z.string(), tool: z.string() })) });
export type AuditUndoAnswer = z.infer<typeof auditUndoAnswer>;
