import type { AgentMessageEvent, Pipeline } from '@docwright/contract';
import { emptySetup, type Answering, type SetupNotice, type SetupState, type AgentStep } from './setup-state.ts';

type SetupAction =
  | { type: 'sent'; message: string; messageCount: number; before: Pipeline | null }
  | { type: 'events'; events: AgentMessageEvent[] }
  /** The server refused the message. */
  | { type: 'refused'; notice: SetupNotice }
  /** The stream was interrupted. */
  | { type: 'lost' }
  /** The conversation was reloaded and contains the answer or its progress. */
  | { type: 'settled' }
  | { type: 'noticeShown'; notice: SetupNotice | undefined };

export function setupReducer(state: SetupState, action: SetupAction): SetupState {
  switch (action.type) {
    case 'sent': {
      const { message, messageCount, before } = action;
      const initial = { text: '', steps: [], status: undefined, pipeline: undefined, uncertainties: [] };
      return { ...emptySetup, answering: { phase: 'sending', message, messageCount, before, ...initial } };
    }
    case 'events':
      return action.events.reduce(withEvent, state);
    case 'refused':
      return { ...state, answering: undefined, notice: action.notice };
    case 'lost':
      return state.answering ? { ...state, answering: { ...state.answering, phase: 'lost' } } : state;
    case 'settled':
      return { ...state, answering: undefined };
    case 'noticeShown':
      return { ...state, notice: action.notice };
  }
}

function withEvent(state: SetupState, event: AgentMessageEvent): SetupState {
  const { answering } = state;
  if (answering === undefined || answering.phase === 'over') return state;
  switch (event.type) {
    case 'question':
      return { ...state, askedName: event.collection_name };
    case 'done':
      return { ...state, answering: { ...ended(answering), text: event.result.text } };
    case 'error': {
      const notice = { code: event.code, message: event.message, sent: answering.message };
      return { ...state, notice, answering: ended(answering) };
    }
    default:
      return { ...state, answering: { ...answerWith(answering, event), phase: 'streaming' } };
  }
}

type ProgressEvent = Exclude<AgentMessageEvent, { type: 'question' | 'done' | 'error' }>;

function answerWith(answering: Answering, event: ProgressEvent): Answering {
  const { steps, uncertainties } = answering;
  switch (event.type) {
    case 'status':
      return withStatus(answering, event);
    case 'text':
      return { ...answering, text: answering.text + event.content };
    case 'tool_call_start': {
      const { call_id: id, name } = event;
      // Text before and after a call are separate paragraphs.
      const text = separated(answering.text);
      const textBefore = text.length;
      const call: AgentStep = { kind: 'call', id, name, arguments: event.arguments, state: 'running', textBefore };
      return { ...answering, text, steps: [...steps, call] };
    }
    case 'tool_call_end':
      return withStepChange(answering, ({ kind, id }) => kind === 'call' && id === event.call_id, {
        state: event.success ? 'done' : 'failed',
      });
    case 'subagent_start': {
      const { agent_id: agentId } = event;
      const text = separated(answering.text);
      const card: AgentStep = {
        kind: 'subagent',
        id: `${agentId} ${steps.length}`,
        agentId,
        steps: [],
        state: 'running',
        summary: null,
        textBefore: text.length,
      };
      // The card takes the place of the call that started it, as it does after a reload.
      const at = steps.findIndex((step) => isStartOf(step, agentId));
      if (at === -1) return { ...answering, text, steps: [...steps, card] };
      return { ...answering, steps: steps.with(at, { ...card, textBefore: steps[at]?.textBefore }) };
    }
    case 'subagent_end':
      return withStepChange(answering, isWorking(event.agent_id), {
        state: event.success ? 'done' : 'failed',
        summary: event.summary,
      });
    case 'uncertainty':
      return { ...answering, uncertainties: [...uncertainties, event.uncertainty] };
    case 'pipeline_update':
      return { ...answering, pipeline: event.pipeline };
  }
}

function withStatus(answering: Answering, event: Extract<ProgressEvent, { type: 'status' }>): Answering {
  const { agent_id, message, done, total } = event;
  if (agent_id === undefined) {
    return { ...answering, status: message ?? (event.status === 'thinking' ? 'Thinking' : 'Working') };
  }
  const at = answering.steps.findLastIndex(isWorking(agent_id));
  const card = answering.steps[at];
  if (card?.kind !== 'subagent') return answering;
  const messages = message === undefined || message === card.steps.at(-1) ? card.steps : [...card.steps, message];
  return { ...answering, steps: answering.steps.with(at, { ...card, steps: messages, done, total }) };
}

/** Whether a tool starts a sub-agent, which has a card of its own. */
export const startsSubAgent = (name: string): boolean => name.startsWith('spawn_');

const isStartOf = (step: AgentStep, agentId: string) =>
  step.kind === 'call' &&
  step.state === 'running' &&
  startsSubAgent(step.name) &&
  agentId.startsWith(step.name.replace(/^spawn_/u, ''));

const isWorking = (agentId: string) => (step: AgentStep) =>
  step.kind === 'subagent' && step.agentId === agentId && step.state === 'running';

function withStepChange(
  answering: Answering,
  which: (step: AgentStep) => boolean,
  change: { state: AgentStep['state']; summary?: string },
): Answering {
  const at = answering.steps.findIndex(which);
  const step = answering.steps[at];
  if (step === undefined) return answering;
  return { ...answering, steps: answering.steps.with(at, { ...step, ...change }) };
}

/** Ends the answer: steps that are still running were interrupted. */
function ended(answering: Answering): Answering {
  const steps = answering.steps.map((step): AgentStep =>
    step.state === 'running' ? { ...step, state: 'failed' } : step,
  );
  return { ...answering, phase: 'over', status: undefined, steps };
}

const separated = (text: string) => (text === '' || text.endsWith('\n\n') ? text : `${text}\n\n`);
