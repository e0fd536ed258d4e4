import type { AuditDecision } from '@docwright/contract';

/** One step of a call through the loop. A call has at most one record of each kind, whatever is killed and retried. */
export interface CallRecord {
  readonly kind: 'proposed' | 'decided' | 'executed';
  readonly callId: string;
  readonly tool: string;
  /** As they stand at this step: a person may have edited them. */
  readonly arguments: string;
  readonly decision?: AuditDecision;
  /** The permission rule that decided, where one did. */
  readonly ruleId?: string;
  readonly success?: boolean;
  readonly error?: string;
}

/**
 * Told of every step, and awaited: what is proposed and decided is written down before anything runs. The same record
 * may come again after a crash and shall then change nothing.
 */
export type RecordCalls = (records: readonly CallRecord[]) => Promise<void>;
