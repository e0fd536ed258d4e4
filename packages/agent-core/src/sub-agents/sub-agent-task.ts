import type { SubAgentModel } from './sub-agent-model.ts';
import type { EmitStep } from './sub-agent-steps.ts';

/** The input of a sub-agent. */
export interface SubAgentTask {
  readonly model: SubAgentModel;
  readonly timeoutMs: number;
  /** The caller's question or point of interest; empty for none. */
  readonly focus: string;
  readonly signal: AbortSignal;
  readonly emitStep: EmitStep;
}
