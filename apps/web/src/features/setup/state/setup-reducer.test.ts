import type { AgentMessageEvent, Pipeline } from '@docwright/contract';
import { expect, it } from 'vitest';
import { setupReducer } from './setup-reducer.ts';
import { emptySetup, type SetupState } from './setup-state.ts';
import { pipelineOf } from '../testing/setup-conversations.ts';

const sent = (before: Pipeline | null = null): SetupState =>
  setupReducer(emptySetup, { type: 'sent', message: 'make it searchable', messageCount: 2, before });
const afterEvents = (...events: AgentMessageEvent[]): SetupState => setupReducer(sent(), { type: 'events', events });
const startOf = (agent_id: string): AgentMessageEvent => ({ type: 'subagent_start', agent_id });
const stepOf = (agent_id: string, message: string, done?: number): AgentMessageEvent => ({
  type: 'status',
  status: 'working',
  agent_id,
  message,
  ...(done === undefined ? {} : { done, total: 8 }),
});
const endOf = (agent_id: string, success: boolean): AgentMessageEvent => ({
  type: 'subagent_end',
  agent_id,
  success,
  summary: 'Some.',
});

it('collects text, calls and the proposal', () => {
  const pipeline = pipelineOf('heading');
  const { answering } = afterEvents(
    { type: 'status', status: 'thinking' },
    { type: 'text', content: 'I look' },
    { type: 'tool_call_start', call_id: 'c', name: 'build_pipeline', arguments: {} },
    { type: 'pipeline_update', pipeline },
    { type: 'tool_call_end', call_id: 'c', name: 'build_pipeline', success: true },
    { type: 'text', content: 'It is there.' },
  );
  expect(answering).toMatchObject({ phase: 'streaming', text: 'I look\n\nIt is there.', pipeline, status: 'Thinking' });
  expect(answering?.steps).toMatchObject([{ kind: 'call', name: 'build_pipeline', state: 'done' }]);
});

it('keeps parallel sub-agents apart and shows each once', () => {
  const { answering } = afterEvents(
    { type: 'tool_call_start', call_id: 'a', name: 'spawn_source_analyzer', arguments: {} },
    startOf('source_analyzer'),
    startOf('pipeline_validator'),
    stepOf('source_analyzer', 'Counts the files'),
    stepOf('pipeline_validator', 'Runs the pipeline', 1),
    stepOf('pipeline_validator', 'Runs the pipeline', 5),
    endOf('source_analyzer', false),
    { type: 'tool_call_end', call_id: 'a', name: 'spawn_source_analyzer', success: true },
  );
  expect(answering?.steps).toMatchObject([
    { agentId: 'source_analyzer', steps: ['Counts the files'], state: 'failed', summary: 'Some.' },
    { agentId: 'pipeline_validator', steps: ['Runs the pipeline'], done: 5, total: 8, state: 'running' },
  ]);
});

it('adds steps to the active one of two sub-agents of a kind', () => {
  const { answering } = afterEvents(
    startOf('source_analyzer'),
    stepOf('source_analyzer', 'first'),
    endOf('source_analyzer', true),
    startOf('source_analyzer'),
    stepOf('source_analyzer', 'second'),
  );
  expect(answering?.steps).toMatchObject([
    { state: 'done', steps: ['first'] },
    { state: 'running', steps: ['second'] },
  ]);
});

it('ends running steps with the answer, and keeps the error and the question', () => {
  const state = afterEvents(
    startOf('source_analyzer'),
    { type: 'question', question: 'apply_pipeline', message: 'Shall I?', collection_name: 'Leases' },
    { type: 'error', code: 'model_unavailable', message: 'The model is away.' },
    { type: 'text', content: 'late' },
  );
  expect(state.answering).toMatchObject({ phase: 'over', text: '', steps: [{ state: 'failed' }] });
  expect(state.notice).toEqual({
    code: 'model_unavailable',
    message: 'The model is away.',
    sent: 'make it searchable',
  });
  expect(state.askedName).toBe('Leases');
  expect(setupReducer(state, { type: 'settled' }).answering).toBeUndefined();
  expect(sent().askedName).toBeUndefined();
});

it('keeps the text when the stream is interrupted, and drops a refused message', () => {
  const lost = setupReducer(afterEvents({ type: 'text', content: 'So far' }), { type: 'lost' });
  expect(lost.answering).toMatchObject({ phase: 'lost', text: 'So far' });
  const notice = { code: 'message_running', message: 'One is running.', sent: undefined };
  expect(setupReducer(sent(), { type: 'refused', notice })).toEqual({ ...emptySetup, notice });
});
