import type { JsonObject, Pipeline, Uncertainty } from '@docwright/contract';

type StepState = 'running' | 'done' | 'failed';

/** A call of the agent, shown as a line. */
export interface CallStep {
  kind: 'call';
  id: string;
  name: string;
  arguments: JsonObject;
  state: StepState;
  /** The reason of a failure. */
  error?: string | undefined;
  /** The number of characters of the answer before it. */
  textBefore?: number | undefined;
}

/** The work of a sub-agent, shown as a card. */
export interface SubAgentWork {
  kind: 'subagent';
  id: string;
  agentId: string;
  /** Plain sentences, the latest last. */
  steps: readonly string[];
  /** Progress of the latest step, if it can be counted. */
  done?: number | undefined;
  total?: number | undefined;
  state: StepState;
  /** Null until it has finished. */
  summary: string | null;
  /** The number of characters of the answer before it. */
  textBefore?: number | undefined;
}

export type AgentStep = CallStep | SubAgentWork;

export type SetupEntry =
  | { kind: 'user'; text: string }
  | { kind: 'agent'; text: string; steps: readonly AgentStep[]; live: boolean };

/** An error that ended an answer. */
export interface SetupNotice {
  code: string;
  message: string;
  /** The message that can be sent again. */
  sent: string | undefined;
}

/** A message that is being answered in this tab. */
export interface Answering {
  /** `lost`: the connection was lost and the conversation is being reloaded. `over`: finished, but not reloaded yet. */
  phase: 'sending' | 'streaming' | 'lost' | 'over';
  message: string;
  /** The number of messages before this one. */
  messageCount: number;
  /** The pipeline before this message. */
  before: Pipeline | null;
  text: string;
  steps: readonly AgentStep[];
  /** The latest status message. */
  status: string | undefined;
  pipeline: Pipeline | undefined;
  uncertainties: readonly Uncertainty[];
}

/** The state of this tab; everything else comes from the server. */
export interface SetupState {
  answering: Answering | undefined;
  /** The collection name in the agent's question whether to apply the pipeline. */
  askedName: string | undefined;
  notice: SetupNotice | undefined;
}

export const emptySetup: SetupState = { answering: undefined, askedName: undefined, notice: undefined };
