import type { AgentMessageEvent, Pipeline } from '@docwright/contract';
import { emptySetup, type Answering, type SetupNotice, type SetupState, type Step } from './setup-state.ts';

type SetupAction =
  | { type: 'sent'; message: string; known: number; before: Pipeline | null }
  | { type: 'events'; events: AgentMessageEvent[] }
  /** The server took the message not at all. */
  | { type: 'refused'; notice: SetupNotice }
  /** The stream broke off. */
  | { type: 'lost' }
  /** The conversation was read back: it holds what was said here, or tells how far it is. */
  | { type: 'settled' }
  | { type: 'noted'; notice: SetupNotice | undefined };

export function setupReducer(state: SetupState, action: SetupAction): SetupState {
  switch (action.type) {
    case 'sent': {
      const { message, known, before } = action;
      const begun = { text: '', steps: [], status: undefined, pipeline: undefined, uncertainties: [] };
      return { ...emptySetup, answering: { phase: 'sending', message, known, before, ...begun } };
    }
    case 'events':
      return action.events.reduce(withEvent, state);
    case 'refused':
      return { ...state, answering: undefined, notice: action.notice };
    case 'lost':
      return state.answering ? { ...state, answering: { ...state.answering, phase: 'lost' } } : state;
    case 'settled':
      return { ...state, answering: undefined };
    case 'noted':
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

type Passing = Exclude<AgentMessageEvent, { type: 'question' | 'done' | 'error' }>;

function answerWith(answering: Answering, event: Passing): Answering {
  const { steps, uncertainties } = answering;
  switch (event.type) {
    case 'status':
      return withStatus(answering, event);
    case 'text':
      return { ...answering, text: answering.text + event.content };
    case 'tool_call_start': {
      // What a sub-agent does is told on its own card.
      if (startsSubAgent(event.name)) return answering;
      const { call_id: id, name } = event;
      const call: Step = { kind: 'call', id, name, arguments: event.arguments, state: 'running' };
      // Words before a call were about what came then; the answer is what follows.
      return { ...answering, text: separated(answering.text), steps: [...steps, call] };
    }
    case 'tool_call_end':
      return changed(answering, ({ kind, id }) => kind === 'call' && id === event.call_id, {
        state: event.success ? 'done' : 'failed',
      });
    case 'subagent_start': {
      const { agent_id: agentId } = event;
      const id = `${agentId} ${steps.length}`;
      const begun: Step = { kind: 'subagent', id, agentId, steps: [], state: 'running', summary: null };
      return { ...answering, text: separated(answering.text), steps: [...steps, begun] };
    }
    case 'subagent_end':
      return changed(answering, isWorking(event.agent_id), {
        state: event.success ? 'done' : 'failed',
        summary: event.summary,
      });
    case 'uncertainty':
      return { ...answering, uncertainties: [...uncertainties, event.uncertainty] };
    case 'pipeline_update':
      return { ...answering, pipeline: event.pipeline };
  }
}

function withStatus(answering: Answering, event: Extract<Passing, { type: 'status' }>): Answering {
  const { agent_id, message, done, total } = event;
  if (agent_id === undefined) {
    return { ...answering, status: message ?? (event.status === 'thinking' ? 'Thinking' : 'Working') };
  }
  const at = answering.steps.findLastIndex(isWorking(agent_id));
  const card = answering.steps[at];
  if (card?.kind !== 'subagent') return answering;
  const said = message === undefined || message === card.steps.at(-1) ? card.steps : [...card.steps, message];
  return { ...answering, steps: answering.steps.with(at, { ...card, steps: said, done, total }) };
}

/** Whether a call's work is told by a sub-agent's card. */
export const startsSubAgent = (name: string): boolean => name.startsWith('spawn_');

const isWorking = (agentId: string) => (step: Step) =>
  step.kind === 'subagent' && step.agentId === agentId && step.state === 'running';

function changed(
  answering: Answering,
  which: (step: Step) => boolean,
  change: { state: Step['state']; summary?: string },
): Answering {
  const at = answering.steps.findIndex(which);
  const step = answering.steps[at];
  if (step === undefined) return answering;
  return { ...answering, steps: answering.steps.with(at, { ...step, ...change }) };
}

/** What is still running when all has ended was broken off. */
function ended(answering: Answering): Answering {
  const steps = answering.steps.map((step): Step => (step.state === 'running' ? { ...step, state: 'failed' } : step));
  return { ...answering, phase: 'over', status: undefined, steps };
}

const separated = (text: string) => (text === '' || text.endsWith('\n\n') ? text : `${text}\n\n`);
