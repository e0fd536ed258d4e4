import type { LlmClient } from '../llm/llm-client.ts';
import type { RecordCalls } from '../loop/call-record.ts';
import type { Decide } from '../permissions/permission.ts';
import type { TurnOwner } from '../turns/pending-turn.ts';

/** With which model, and for whom, a sub-agent works. */
export interface SubAgentModel {
  readonly llm: LlmClient;
  readonly model: string;
  readonly owner: TurnOwner;
  /** What its model calls are charged to. */
  readonly threadId: string;
  readonly decide: Decide;
  /** Of one turn of a sub-agent, by its id. */
  readonly recordCallsOf: (turnId: string) => RecordCalls;
  readonly newTurnId: () => string;
}
