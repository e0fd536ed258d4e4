import type { AuditDecision, AuditKind, Provenance, WriteOriginInfo } from '@docwright/contract';

/** One step of one call. */
export interface AuditRecord {
  /** The id of the entry, for a caller that needs it before the entry is stored. */
  readonly id?: string;
  /** When it was done, if that is not now. */
  readonly at?: Date;
  readonly kind: AuditKind;
  /** The id of the user who did it, or on whose behalf it was done. */
  readonly actor: string;
  /** Omitted or empty if the call concerns no document. */
  readonly documentId?: string;
  /** Present for calls of a chat. */
  readonly threadId?: string;
  readonly turnId?: string;
  readonly callId: string;
  readonly tool: string;
  /** A JSON string. */
  readonly arguments: string;
  /** Whether the arguments were truncated, if they are redacted and truncated already. */
  readonly isPartial?: boolean;
  readonly decision?: AuditDecision;
  readonly ruleId?: string;
  /** The approved plan that allowed the call. */
  readonly plan?: {
    readonly plan_id: string;
    readonly step_id: string;
    readonly title: string;
    readonly approved_by: string;
  };
  /** The source of each argument of a write. */
  readonly provenance?: Provenance;
  readonly success?: boolean;
  readonly error?: string;
  /** The call belongs to an unattended run, in which no user was asked. */
  readonly headless?: true;
  /** The call came from a client of the Model Context Protocol. */
  readonly via?: 'mcp';
  readonly origin?: WriteOriginInfo;
  /** The access token of the request. */
  readonly token?: { readonly id: string; readonly name: string };
}

/**
 * The append-only log of the steps of one organization's calls. A call has one entry of each kind: recording it again
 * has no effect, so that steps can be retried. Await `record` before the effect that it describes.
 */
export interface AuditLog {
  record(entries: readonly AuditRecord[]): Promise<void>;
}
