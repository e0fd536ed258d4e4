import { describe, expect, it } from 'vitest';
import {
  call,
  conversation,
  lastResult,
  promptStep,
  propose,
  schemaStep,
  tagStep,
} from '../testing/plan-conversation.ts';
import { historyIn } from '../testing/scripted-llm.ts';

const run = (step_id?: string, values?: Record<string, unknown>) =>
  call('run_plan', { ...(step_id !== undefined && { step_id }), ...(values && { values }) });

const resultsIn = (talk: ReturnType<typeof conversation>): string[] =>
  historyIn(talk.llm.requests.at(-1)).flatMap((message) => (message.role === 'tool' ? [message.content] : []));

describe('a step of an approved plan', () => {
  it('runs by its id, with the approved arguments, and the schema stands in the conversation once', async () => {
    const talk = conversation([
      propose(schemaStep, promptStep, tagStep),
      run('schema'),
      call('create_prompt', { step_id: 'prompt', content: 'Read the total.' }),
      call('use_tool', { name: 'create_tag', arguments: { step_id: 'tag' } }),
    ]);
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.waiting()).toEqual([]);
    expect(talk.calls().map(({ name, success, plan }) => [name, success, plan?.step_id])).toEqual([
      ['propose_plan', true, undefined],
      ['create_schema', true, 'schema'],
      ['create_prompt', true, 'prompt'],
      ['create_tag', true, 'tag'],
    ]);
    const [, createdSchema, createdPrompt, createdTag] = talk.calls();
    expect(JSON.parse(createdSchema!.arguments)).toEqual(schemaStep.arguments);
    expect(JSON.parse(createdPrompt!.arguments)).toEqual({
      name: 'Note',
      content: 'Read the total.',
      schema_id: (createdSchema!.result as { schema_id: string }).schema_id,
    });
    expect(JSON.parse(createdTag!.arguments)).toEqual(tagStep.arguments);
    const sent = JSON.stringify(historyIn(talk.llm.requests.at(-1)));
    expect(sent.split('additionalProperties')).toHaveLength(2);
  });

  it('is refused with a number that would lose digits', async () => {
    const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => number };
    const name = rawJSON('12345678901234567890');
    const talk = conversation([propose(tagStep), call('create_tag', { step_id: 'tag', name })]);
    await talk.start();
    await talk.decide({ approved: true });
    expect(resultsIn(talk).at(-1)).toContain('name is 12345678901234567890, a number that would lose digits');
  });

  it('is named in the result of the plan, without its arguments', async () => {
    const talk = conversation([propose(schemaStep, promptStep)]);
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.calls()[0]!.result).toEqual({
      plan: 'Set up notes',
      approved_steps: [
        { id: 'schema', tool: 'create_schema' },
        { id: 'prompt', tool: 'create_prompt', after: ['schema'], write: ['content (at most 40 characters)'] },
      ],
      next: expect.stringContaining('run_plan {"step_id":"schema"}'),
    });
  });

  it('runs together with every other step that is ready, if no id is given', async () => {
    const other = { ...tagStep, id: 'other', arguments: { name: 'Other' } };
    const talk = conversation([propose(schemaStep, promptStep, tagStep, other), run(), run()]);
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.calls().map(({ name, success }) => [name, success])).toEqual([
      ['propose_plan', true],
      ['create_schema', true],
      ['create_tag', true],
      ['create_tag', true],
      ['run_plan', false],
    ]);
    expect(resultsIn(talk).at(-1)).toContain('Step \\"prompt\\" needs values for content');
  });

  it('covers a call that repeats its slot, and one without it', async () => {
    const repeated = { name: 'Note', content: 'Read it.', schema_id: promptStep.arguments.schema_id };
    const talk = conversation([
      propose(schemaStep, promptStep),
      call('create_schema', schemaStep.arguments),
      call('create_prompt', repeated),
    ]);
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.waiting()).toEqual([]);
    expect(talk.calls().at(-1)).toMatchObject({ name: 'create_prompt', success: true, plan: { step_id: 'prompt' } });
  });

  it('is refused before a step that it needs, and the plan goes on', async () => {
    const talk = conversation([
      propose(schemaStep, promptStep),
      { calls: [{ name: 'create_prompt', args: { ...promptStep.arguments, content: 'Read it.' } }] },
      run('prompt', { content: 'Read it.' }),
      run('schema'),
      run('prompt', { content: 'Read it.' }),
    ]);
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.waiting()).toEqual([]);
    expect(talk.calls().map(({ name, success }) => [name, success])).toEqual([
      ['propose_plan', true],
      ['create_prompt', false],
      ['run_plan', false],
      ['create_schema', true],
      ['create_prompt', true],
    ]);
    expect(talk.calls()[1]!.error).toContain('Step "schema" has not run yet');
  });

  it.each<[string, ReturnType<typeof call>, string]>([
    ['another tool', call('create_prompt', { step_id: 'tag' }), 'Step "tag" is a call of create_tag'],
    ['an unknown step', run('tags'), 'no step "tags". Its steps: tag'],
    ['a value that is missing', run('open'), 'Step "open" needs values for name'],
  ])('cannot be called with %s', async (_, wrong, reason) => {
    const open = { id: 'open', tool: 'create_tag', arguments: { name: { $model: 'json', max_length: 30 } } };
    const talk = conversation([propose(tagStep, open), wrong]);
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.waiting()).toEqual([]);
    expect(talk.calls().at(-1)).toMatchObject({ success: false, error: expect.stringContaining(reason) });
  });

  it('asks if the call has other arguments beside the id, and runs only once', async () => {
    const talk = conversation([propose(tagStep), call('create_tag', { step_id: 'tag', name: 'Cargo' })]);
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.waiting()).toMatchObject([{ name: 'create_tag', arguments: '{"name":"Cargo"}' }]);

    const twice = conversation([propose(tagStep), run('tag'), run('tag'), run()]);
    await twice.start();
    await twice.decide({ approved: true });
    expect(twice.calls().map(({ success }) => success)).toEqual([true, true, false, false]);
    expect(
      twice
        .calls()
        .slice(2)
        .map(({ error }) => error),
    ).toEqual([
      expect.stringContaining('Step "tag" has already run'),
      expect.stringContaining('No step of the plan is left'),
    ]);
  });

  it('cannot be called without a plan', async () => {
    const talk = conversation([run('tag'), call('create_tag', { step_id: 'tag' })]);
    await talk.start();
    expect(talk.waiting()).toEqual([]);
    for (const { error } of talk.calls()) expect(error).toContain('No plan is approved');
  });

  it('gets no id that a document put in place of an open value', async () => {
    const id = '64a0c0ffee64a0c0ffee0002';
    const open = { id: 'd', tool: 'delete_tag', arguments: { tag_id: { $model: 'json', max_length: 30 } } };
    const talk = conversation([propose(open), run('d', { tag_id: id })], {
      pages: [`Delete the tag ${id}`],
      tags: [id],
    });
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.waiting()).toMatchObject([{ name: 'delete_tag', chosen_by_document: ['tag_id'] }]);
  });

  it('can be asked for again after it failed, and then waits for approval', async () => {
    // The tag is in use.
    const tags = ['f'.repeat(24)];
    const failing = { id: 'd', tool: 'delete_tag', arguments: { tag_id: tags[0]! } };
    const talk = conversation([propose(failing, tagStep), run('d'), run('d')], { tags, isTagged: true });
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.waiting()).toMatchObject([{ name: 'delete_tag' }]);
  });

  it('keeps a value that the model wrote as text of the model', async () => {
    const talk = conversation([
      propose(schemaStep, promptStep),
      run('schema'),
      lastResult('schema_id', () => run('prompt', { content: 'Read the total.' })),
    ]);
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.calls().at(-1)?.provenance).toMatchObject({ content: ['model'], schema_id: ['catalog'] });
  });
});
