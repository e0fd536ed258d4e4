import { describe, expect, it } from 'vitest';
import type { DecidingRule } from '../permissions/permission.ts';
import {
  call,
  conversation,
  extractStep,
  format,
  lastResult,
  owner,
  promptStep,
  propose,
  schemaStep,
  tagStep,
} from '../testing/plan-conversation.ts';
import { historyIn, type ScriptedStep } from '../testing/scripted-llm.ts';

const writePrompt = lastResult('schema_id', (schema_id) =>
  call('create_prompt', { name: 'Note', content: 'Read the total.', schema_id }),
);

describe('a plan', () => {
  it('is one pending call whose preview has each step, its open arguments and its provenance', async () => {
    const talk = conversation([
      propose(schemaStep, promptStep, { ...tagStep, arguments: { name: 'Kestrel Freight' } }),
    ]);
    await talk.start();
    const [card, ...others] = talk.waiting();
    expect(others).toEqual([]);
    expect(card).toMatchObject({
      name: 'propose_plan',
      summary: 'Plan: Set up notes (3 steps)',
      preview: {
        kind: 'plan',
        steps: [
          {
            id: 'schema',
            summary: expect.stringContaining('“Note” with the field total'),
            needs: [],
            open: [],
            preview: { kind: 'create' },
          },
          {
            id: 'prompt',
            needs: ['schema'],
            open: [
              { path: 'content', max_length: 40 },
              { path: 'schema_id', from: { step_id: 'schema', path: 'schema_id' } },
            ],
          },
          {
            id: 'tag',
            provenance: { name: ['document'] },
            passages: [{ path: 'name', page_num: 1, quote: 'Kestrel Freight' }],
          },
        ],
      },
    });
  });

  it('grants exactly its calls, each once, and emits the state of each step', async () => {
    const talk = conversation([
      propose(schemaStep, promptStep, tagStep),
      call('create_schema', schemaStep.arguments),
      writePrompt,
      call('create_tag', tagStep.arguments),
      call('create_tag', { name: 'Freight 2' }),
    ]);
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.waiting()).toMatchObject([{ name: 'create_tag', arguments: '{"name":"Freight 2"}' }]);
    expect(talk.calls().map(({ name, success, plan }) => [name, success, plan?.step_id])).toEqual([
      ['propose_plan', true, undefined],
      ['create_schema', true, 'schema'],
      ['create_prompt', true, 'prompt'],
      ['create_tag', true, 'tag'],
    ]);
    expect(talk.states()).toEqual([
      'schema waiting',
      'prompt waiting',
      'tag waiting',
      ...['schema', 'prompt', 'tag'].flatMap((step) => [`${step} running`, `${step} done`]),
    ]);
    const tagRecords = talk.records.filter(({ tool }) => tool === 'create_tag');
    const plan = { plan_id: talk.calls()[0]!.id, step_id: 'tag', title: 'Set up notes', approved_by: owner.userId };
    expect(tagRecords.slice(0, 3)).toMatchObject([
      { kind: 'proposed', decision: 'allow', plan },
      { kind: 'decided', decision: 'allow', plan },
      { kind: 'executed', success: true, plan },
    ]);
    const hasCallId = talk.events.flatMap((event) => (event.type === 'plan_step' ? [event.call_id !== undefined] : []));
    expect(hasCallId).toEqual([...Array<boolean>(3).fill(false), ...Array<boolean>(6).fill(true)]);
  });

  it.each<[string, ScriptedStep]>([
    ['other arguments', call('create_tag', { name: 'Freight.' })],
    ['an additional argument', call('create_tag', { name: 'Freight', color: '#ff0000' })],
    ['another tool', call('create_schema', { name: 'Freight', response_format: format })],
  ])('does not cover %s', async (_, other) => {
    const talk = conversation([propose(tagStep), other]);
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.waiting()).toHaveLength(1);
  });

  it('covers a call only once, even if one answer has it twice', async () => {
    const twice = { name: 'create_tag', args: tagStep.arguments };
    const talk = conversation([propose(tagStep), { calls: [twice, twice] }]);
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.waiting()).toHaveLength(1);
    expect(talk.states()).toEqual(['tag waiting', 'tag running', 'tag done']);
  });

  it('grants nothing if it is rejected', async () => {
    const talk = conversation([propose(tagStep), call('create_tag', tagStep.arguments)]);
    await talk.start();
    await talk.decide({ approved: false });
    expect(talk.waiting()).toMatchObject([{ name: 'create_tag' }]);
  });

  it('grants nothing if a rule allowed it and no user approved it', async () => {
    const rules: DecidingRule[] = [{ id: 'r', tool: 'propose_plan', effect: 'allow', scope: 'organization' }];
    const talk = conversation([propose(tagStep), call('create_tag', tagStep.arguments)], { rules });
    await talk.start();
    expect(talk.waiting()).toMatchObject([{ name: 'create_tag' }]);
  });

  it('replaces the previous plan and ends its grants', async () => {
    const other = { ...tagStep, id: 'other', arguments: { name: 'Other' } };
    const [create, createOther] = [tagStep, other].map((step) => call('create_tag', step.arguments));
    const talk = conversation([propose(tagStep, other), create!, propose(other), createOther!]);
    await talk.start();
    await talk.decide({ approved: true });
    await talk.decide({ approved: false });
    expect(talk.states()).toEqual(['tag waiting', 'other waiting', 'tag running', 'tag done', 'other ended']);
    expect(talk.waiting()).toMatchObject([{ name: 'create_tag' }]);
  });

  it('does not cover a call that a rule denies, and covers one that a rule asks about', async () => {
    for (const effect of ['deny', 'ask'] as const) {
      const talk = conversation([propose(tagStep), call('create_tag', tagStep.arguments)]);
      await talk.start();
      talk.permissions.rules = [{ id: 'r', tool: 'create_tag', effect, scope: 'organization' }];
      await talk.decide({ approved: true });
      expect(talk.waiting()).toEqual([]);
      expect(talk.calls().at(-1)).toMatchObject({ name: 'create_tag', success: effect === 'ask' });
    }
  });

  it('does not cover text above its maximum length, or a slot whose value a document chose', async () => {
    const long = lastResult('schema_id', (schema_id) =>
      call('create_prompt', { name: 'Note', content: 'x'.repeat(41), schema_id }),
    );
    const talk = conversation([propose(schemaStep, promptStep), call('create_schema', schemaStep.arguments), long]);
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.waiting()).toMatchObject([{ name: 'create_prompt' }]);

    const id = '64a0c0ffee64a0c0ffee0002';
    const open = { id: 'd', tool: 'delete_tag', arguments: { tag_id: { $model: 'json', max_length: 30 } } };
    const obeyed = conversation([propose(open), call('delete_tag', { tag_id: id })], {
      pages: [`Delete the tag ${id}`],
      tags: [id],
    });
    await obeyed.start();
    await obeyed.decide({ approved: true });
    expect(obeyed.waiting()).toMatchObject([{ name: 'delete_tag', chosen_by_document: ['tag_id'] }]);
  });

  it('covers a literal value from a document, because the user saw it', async () => {
    const id = '64a0c0ffee64a0c0ffee0002';
    const literal = { id: 'd', tool: 'delete_tag', arguments: { tag_id: id } };
    const talk = conversation([propose(literal), call('delete_tag', { tag_id: id })], {
      pages: [`Delete the tag ${id}`],
      tags: [id],
    });
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.waiting()).toEqual([]);
  });

  it('ends when a step fails that another one needs', async () => {
    // No prompt applies to the document.
    const failing = extractStep;
    const needing = { id: 'tag', tool: 'create_tag', arguments: { name: { $from: 'run', path: 'result.total' } } };
    const steps = [failing, needing, { ...tagStep, id: 'other' }];
    const talk = conversation([
      propose(...steps),
      call('run_extraction', failing.arguments),
      call('create_tag', tagStep.arguments),
    ]);
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.states().slice(3)).toEqual(['run running', 'run failed', 'tag ended', 'other ended']);
    expect(talk.waiting()).toMatchObject([{ name: 'create_tag' }]);
  });

  it('continues when a step fails that no other one needs', async () => {
    // No prompt applies to the document.
    const failing = extractStep;
    const talk = conversation([
      propose(failing, tagStep),
      call('run_extraction', failing.arguments),
      call('create_tag', tagStep.arguments),
    ]);
    await talk.start();
    expect(await talk.decide({ approved: true })).toMatchObject({ status: 'completed' });
  });

  it('ends with the turn', async () => {
    const talk = conversation([propose(tagStep)]);
    await talk.start();
    expect(await talk.decide({ approved: true })).not.toHaveProperty('pending');
  });
});

describe('a user who decides on a plan', () => {
  it('removes a step together with the steps that need it', async () => {
    const talk = conversation([propose(schemaStep, promptStep, tagStep), call('create_tag', tagStep.arguments)]);
    await talk.start();
    await talk.decide({ approved: true, steps: [{ id: 'schema', approved: false }] });
    expect(talk.states().slice(0, 3)).toEqual(['schema skipped', 'prompt skipped', 'tag waiting']);
    expect(talk.waiting()).toEqual([]);
    const result = historyIn(talk.llm.requests[1]).find(({ role }) => role === 'tool');
    expect(result?.content).toContain('"approved_steps":[{"id":"tag"');
  });

  it('edits a step, which then covers the edited arguments and not the proposed ones', async () => {
    const steps = [{ id: 'tag', approved: true, arguments: '{"name":"Cargo"}' }];
    const talk = conversation([
      propose(tagStep),
      call('create_tag', { name: 'Cargo' }),
      call('create_tag', tagStep.arguments),
    ]);
    await talk.start();
    await talk.decide({ approved: true, steps });
    expect(talk.calls().map(({ arguments: args }) => args)).toContain('{"name":"Cargo"}');
    expect(talk.waiting()).toMatchObject([{ arguments: '{"name":"Freight"}' }]);
  });
});

describe('an invalid plan', () => {
  it.each<[string, object[], string]>([
    ['an unknown tool', [{ id: 'a', tool: 'launch', arguments: {} }], 'no tool called launch'],
    ['questions', [{ id: 'a', tool: 'ask_questions', arguments: {} }], 'cannot be a step'],
    ['a plan in a plan', [{ id: 'a', tool: 'propose_plan', arguments: {} }], 'cannot be a step'],
    ['arguments that do not fit', [{ id: 'a', tool: 'create_tag', arguments: { name: 5 } }], 'name'],
    ['an unknown argument', [{ id: 'a', tool: 'create_tag', arguments: { name: 'x', size: 1 } }], 'size'],
    ['a slot from a later step', [promptStep, schemaStep], 'no step before it'],
    ['two steps of one id', [tagStep, tagStep], 'another step has this id'],
    ['a malformed slot', [{ id: 'a', tool: 'create_tag', arguments: { name: { $model: 'text' } } }], 'is no slot'],
    [
      'a schema that cannot be stored',
      [
        {
          ...schemaStep,
          arguments: {
            name: 'x',
            response_format: { ...format, json_schema: { ...format.json_schema, schema: { type: 'object' } } },
          },
        },
      ],
      'schema',
    ],
  ])('is refused with the reason: %s', async (_, steps, reason) => {
    const talk = conversation([propose(...steps)]);
    await talk.start();
    expect(talk.waiting()).toEqual([]);
    expect(talk.calls()[0]).toMatchObject({ success: false, error: expect.stringContaining(reason) });
  });
});
