import type { AgentMessage } from '@docwright/contract';
import { expect, it } from 'vitest';
import { latestTrial, partsOf, setupProposalOf, setupEntries, unanswered } from './setup-entries.ts';
import { differenceLabels, pipelineSteps, stepSentence } from './pipeline-steps.ts';
import { setupReducer } from './setup-reducer.ts';
import { emptySetup } from './setup-state.ts';
import { buildCall, conversationOf, pipelineOf, messageOf } from '../testing/setup-conversations.ts';

const answeringOf = (messageCount: number) =>
  setupReducer(emptySetup, { type: 'sent', message: 'more', messageCount, before: null }).answering;

it('shows a message answered here once, even if the server has stored it already', () => {
  const messages = [messageOf('user', 'hello'), messageOf('assistant', 'Hi.'), messageOf('user', 'more')];
  const shown = setupEntries(conversationOf({ messages, is_running: true }), { answering: answeringOf(2) });
  expect(shown.map(({ text }) => text)).toEqual(['hello', 'Hi.', 'more', '']);
});

it('shows a message answered elsewhere from its progress', () => {
  const progress = {
    started_at: '2026-01-01T00:00:00.000Z',
    message: 'more',
    text: 'So far',
    tool_calls: [
      { call_id: 'a', name: 'list_templates', arguments: {}, success: true },
      { call_id: 'b', name: 'spawn_source_analyzer', arguments: {}, success: null },
    ],
    subagents: [{ agent_id: 'source_analyzer', steps: ['Counts'], success: null, summary: null, done: 2, total: 5 }],
  };
  const conversation = conversationOf({ messages: [messageOf('user', 'more')], is_running: true, progress });
  const [question, answer] = setupEntries(conversation, emptySetup);
  expect(question).toMatchObject({ kind: 'user', text: 'more' });
  expect(answer).toMatchObject({
    text: 'So far',
    live: true,
    steps: [
      { kind: 'call', name: 'list_templates', state: 'done' },
      { kind: 'subagent', agentId: 'source_analyzer', steps: ['Counts'], state: 'running', done: 2, total: 5 },
    ],
  });
  expect(setupEntries({ ...conversation, messages: [] }, emptySetup)).toHaveLength(2);
});

it('marks the changes of the latest message in the pipeline until another is sent', () => {
  const [pages, headings] = [pipelineOf('page'), pipelineOf('heading')];
  const messages = [
    messageOf('user', 'one'),
    messageOf('assistant', 'A', [buildCall(pages)]),
    messageOf('user', 'two'),
    messageOf('assistant', 'B', [buildCall(headings)]),
  ];
  const conversation = conversationOf({ messages, current_pipeline: headings });
  const { pipeline, before } = setupProposalOf(conversation, undefined);
  const changed = pipelineSteps(pipeline ?? pages, before, []).filter(({ isChanged }) => isChanged);
  expect(changed.map(({ kind }) => kind)).toEqual(['chunk']);
  expect(setupProposalOf(conversation, answeringOf(4)).before).toBeUndefined();
  const first = conversationOf({ messages: messages.slice(0, 2), current_pipeline: pages });
  expect(pipelineSteps(pages, setupProposalOf(first, undefined).before, []).some(({ isChanged }) => isChanged)).toBe(
    false,
  );
});

it('marks only the new parser, and describes a step in a sentence', () => {
  const before = pipelineOf('page');
  const docx = { extensions: ['docx', '*'], plugin_id: 'docx', config: {} };
  const [parse, extract] = pipelineSteps({ ...before, parsers: [...before.parsers, docx] }, before, []);
  expect(parse?.parts.map(({ isChanged }) => isChanged)).toEqual([false, true]);
  expect(parse && stepSentence(parse)).toBe(
    'Parse: pdf_text for pdf, otherwise ocr; docx for docx, all others, changed',
  );
  expect(extract && stepSentence(extract)).toBe('Extract: No fields');
});

it('shows sub-agents in place of the calls that started them, and a refused call as a call', () => {
  const spawn = (kind: string, result: object) => ({ tool_name: `spawn_${kind}`, arguments: {}, result });
  const finished = (agent_id: string) => ({ agent_id, steps: [`${agent_id} counts`], success: true, summary: 'So.' });
  const message = {
    ...messageOf('assistant', 'Done', [
      spawn('pipeline_validator', { error: 'No pipeline yet.' }),
      spawn('source_analyzer', {}),
      buildCall(pipelineOf('page')),
      spawn('source_analyzer', {}),
    ]),
    subagents: [finished('source_analyzer'), finished('source_analyzer_2')],
  };
  const shown = (messages: AgentMessage[]) => setupEntries(conversationOf({ messages }), emptySetup)[0];
  expect(shown([message])).toMatchObject({
    steps: [
      { kind: 'call', state: 'failed', error: 'No pipeline yet.' },
      { agentId: 'source_analyzer', steps: ['source_analyzer counts'], state: 'done', summary: 'So.' },
      { kind: 'call', name: 'build_pipeline' },
      { agentId: 'source_analyzer_2' },
    ],
  });
  expect(shown([{ ...message, tool_calls: [] }])).toMatchObject({
    steps: [{ kind: 'subagent' }, { kind: 'subagent' }],
  });
});

it('describes how an alternative differs', () => {
  const tried = pipelineOf('page');
  const ocr = { extensions: ['png'], plugin_id: 'ocr', config: {} };
  const other = {
    ...tried,
    parsers: [...tried.parsers, ocr],
    chunker: { plugin_id: 'page', config: { max_characters: 800 } },
  };
  expect(differenceLabels(other, tried, [])).toEqual(['Parse: ocr for png', 'Chunk: page (max characters 800)']);
  expect(differenceLabels(tried, other, [])[0]).toBe('Parse: fewer kinds of files');
  const plugin = { id: 'page', kind: 'chunker' as const, name: 'By page', description: '' };
  const plugins = [{ ...plugin, config_schema: { properties: { max_characters: { default: 1200 } } } }];
  expect(differenceLabels({ ...tried, chunker: { plugin_id: 'page', config: {} } }, tried, plugins)).toEqual([]);
});

it('marks a trial of another pipeline as outdated', () => {
  const [pages, headings] = [pipelineOf('page'), pipelineOf('heading')];
  const conversation = conversationOf({ validation: { tested: 2, pipeline: { ...pages } } });
  expect(latestTrial(conversation, pages)).toMatchObject({ found: { tested: 2 }, isOutdated: false });
  expect(latestTrial(conversation, headings)?.isOutdated).toBe(true);
  expect(latestTrial(conversationOf({}), pages)).toBeUndefined();
});

it('finds a message without an answer', () => {
  const messages = [messageOf('user', 'a'), messageOf('assistant', 'b'), messageOf('user', 'c')];
  expect(unanswered(conversationOf({ messages }), undefined)).toBe('c');
  expect(unanswered(conversationOf({ messages, is_running: true }), undefined)).toBeUndefined();
});

it('shows text where it was written, while it streams and after a reload', () => {
  const start = (call_id: string, name: string) => ({ type: 'tool_call_start' as const, call_id, name, arguments: {} });
  const streamed = setupReducer(
    { ...emptySetup, answering: answeringOf(0) },
    {
      type: 'events',
      events: [
        { type: 'text', content: 'First I look.' },
        start('a', 'spawn_source_analyzer'),
        start('b', 'list_templates'),
        { type: 'subagent_start', agent_id: 'source_analyzer' },
        { type: 'subagent_end', agent_id: 'source_analyzer', success: true, summary: 'So.' },
        { type: 'tool_call_end', call_id: 'b', name: 'list_templates', success: true },
        { type: 'text', content: 'Now I build.' },
        start('c', 'build_pipeline'),
        { type: 'tool_call_end', call_id: 'c', name: 'build_pipeline', success: true },
        { type: 'text', content: 'Done.' },
      ],
    },
  );
  const stored: AgentMessage = {
    ...messageOf('assistant', 'First I look.\n\nNow I build.\n\nDone.'),
    tool_calls: [
      { tool_name: 'spawn_source_analyzer', arguments: {}, result: {}, text_before: 13 },
      { tool_name: 'list_templates', arguments: {}, result: {}, text_before: 13 },
      { tool_name: 'build_pipeline', arguments: {}, result: {}, text_before: 27 },
    ],
    subagents: [{ agent_id: 'source_analyzer', steps: [], success: true, summary: 'So.', text_before: 13 }],
  };
  const shown = (messages: AgentMessage[], state: typeof streamed) => {
    const answer = setupEntries(conversationOf({ messages }), state).at(-1);
    if (answer?.kind !== 'agent') throw new Error('There is no answer.');
    return partsOf(answer.text, answer.steps).map((part) =>
      part.kind === 'text' ? part.text : part.kind === 'call' ? part.name : part.agentId,
    );
  };
  const order = ['First I look.', 'source_analyzer', 'list_templates', 'Now I build.', 'build_pipeline', 'Done.'];
  expect(shown([], streamed)).toEqual(order);
  expect(shown([messageOf('user', 'more'), stored], emptySetup)).toEqual(order);
});

it('shows the steps of older answers before their text', () => {
  const call = { kind: 'call' as const, id: '0', name: 'list_templates', arguments: {}, state: 'done' as const };
  expect(partsOf('Done.', [call]).map(({ kind }) => kind)).toEqual(['call', 'text']);
});
