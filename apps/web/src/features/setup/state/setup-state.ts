import type { JsonObject, Pipeline, Uncertainty } from '@docwright/contract';

type StepState = 'running' | 'done' | 'failed';

/** A call of the agent: a line that stays. */
export interface CallStep {
  kind: 'call';
  id: string;
  name: string;
  arguments: JsonObject;
  state: StepState;
  /** Why it failed. */
  error?: string | undefined;
}

/** The work of a sub-agent: a card that stays. */
export interface SubAgentStep {
  kind: 'subagent';
  id: string;
  agentId: string;
  /** Plain sentences, the latest last. */
  steps: readonly string[];
  /** How far the latest step is, where that can be counted. */
  done?: number | undefined;
  total?: number | undefined;
  state: StepState;
  /** Once it is over. */
  summary: string | null;
}

export type Step = CallStep | SubAgentStep;

export type SetupEntry =
  | { kind: 'person'; text: string }
  | { kind: 'agent'; text: string; steps: readonly Step[]; live: boolean };

/** Why nothing goes on, and what was said when it happened. */
export interface SetupNotice {
  code: string;
  message: string;
  /** What can be sent again. */
  sent: string | undefined;
}

/** A message that is answered in this tab. */
export interface Answering {
  /** `lost`: the connection broke, and the server is asked how it stands. `over`: said to its end, not read back yet. */
  phase: 'sending' | 'streaming' | 'lost' | 'over';
  message: string;
  /** Messages that the conversation had before it. */
  known: number;
  /** The pipeline before it. */
  before: Pipeline | null;
  text: string;
  steps: readonly Step[];
  /** The latest that was said of what goes on. */
  status: string | undefined;
  pipeline: Pipeline | undefined;
  uncertainties: readonly Uncertainty[];
}

/** What only this tab knows; the rest is as the server has it. */
export interface SetupState {
  answering: Answering | undefined;
  /** The name of the collection that the agent asks to apply the pipeline as; it asks in its words, too. */
  askedName: string | undefined;
  notice: SetupNotice | undefined;
}

export const emptySetup: SetupState = { answering: undefined, askedName: undefined, notice: undefined };
