import type { AuditDecision, AuditKind, Provenance, WriteOriginInfo } from '@docwright/contract';

/** One step of one call, as those who take it know it. */
export interface AuditRecord {
  /** The id of the entry, for a caller that needs to know it before the entry is stored. */
  readonly id?: string;
  readonly kind: AuditKind;
  /** The id of the person for whom it is done, or who did it. */
  readonly actor: string;
  /** Left out, or empty, where the call was made on no document. */
  readonly documentId?: string;
  /** Of a call in a conversation. */
  readonly threadId?: string;
  readonly turnId?: string;
  readonly callId: string;
  readonly tool: string;
  /** A JSON string. */
  readonly arguments: string;
  readonly decision?: AuditDecision;
  readonly ruleId?: string;
  /** The approved plan that let the call run. */
  readonly plan?: {
    readonly plan_id: string;
    readonly step_id: string;
    readonly title: string;
    readonly approved_by: string;
  };
  /** Where each argument of a write came from. */
  readonly provenance?: Provenance;
  readonly success?: boolean;
  readonly error?: string;
  /** Of a run that nobody watched: no person was asked. */
  readonly headless?: true;
  /** It came from a client of the Model Context Protocol. */
  readonly via?: 'mcp';
  readonly origin?: WriteOriginInfo;
  /** The access token that it was done with. */
  readonly token?: { readonly id: string; readonly name: string };
}

/**
 * Where the steps of one organization's calls are written down, for good: there is no way to change or remove one. A
 * call has one entry of each kind; the first stands, so that whoever retries may record again. Await it before the
 * effect it speaks of.
 */
export interface AuditLog {
  record(entries: readonly AuditRecord[]): Promise<void>;
}
