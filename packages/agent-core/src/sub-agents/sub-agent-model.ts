import type { LlmClient } from '../llm/llm-client.ts';
import type { RecordCalls } from '../loop/call-record.ts';
import type { Decide } from '../permissions/permission.ts';
import type { TurnOwner } from '../turns/pending-turn.ts';

/** The model, owner and permissions of a sub-agent. */
export interface SubAgentModel {
  readonly llm: LlmClient;
  readonly model: string;
  readonly owner: TurnOwner;
  /** The thread that model calls are charged to. */
  readonly threadId: string;
  readonly decide: Decide;
  /** Creates the recorder of one turn of the sub-agent. */
  readonly recordCallsOf: (turnId: string) => RecordCalls;
  readonly newTurnId: () => string;
}
