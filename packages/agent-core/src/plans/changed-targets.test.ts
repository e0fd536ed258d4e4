import { describe, expect, it } from 'vitest';
import { call, conversation, propose } from '../testing/plan-conversation.ts';
import type { ScriptedStep } from '../testing/scripted-llm.ts';

describe('a plan whose target changes', () => {
  it('does not cover a call whose target another user has changed since', async () => {
    const talk = conversation([
      (request) => (request.messages.length > 0 ? propose(update()) : {}),
      () => call('update_tag', update().arguments),
    ]);
    const { tag_id } = await talk.services.tags.create({ name: 'T' }, { call_id: 'x' });
    function update() {
      return { id: 'u', tool: 'update_tag', arguments: { tag_id, color: '#00ff00' } };
    }
    await talk.start();
    await talk.services.tags.update(tag_id, { name: 'Changed' }, { call_id: 'y' });
    await talk.decide({ approved: true });
    expect(talk.waiting()).toMatchObject([{ name: 'update_tag' }]);
  });

  it.each([
    ['an open value', { name: { $model: 'json', max_length: 40 } }, undefined],
    ['a value that the user edited', { name: 'First' }, { name: 'Later' }],
  ])('does not cover a call with %s whose target another user has changed since', async (_, proposed, edited) => {
    let id = '';
    const talk = conversation([
      () => propose({ id: 'u', tool: 'update_tag', arguments: { tag_id: id, ...proposed } }),
      () => call('update_tag', { tag_id: id, name: 'Later' }),
    ]);
    id = (await talk.services.tags.create({ name: 'T' }, { call_id: 'x' })).tag_id;
    await talk.start();
    await talk.services.tags.update(id, { name: 'Changed' }, { call_id: 'y' });
    const steps = [{ id: 'u', approved: true, arguments: JSON.stringify({ tag_id: id, ...edited }) }];
    await talk.decide({ approved: true, ...(edited && { steps }) });
    expect(talk.waiting()).toMatchObject([{ name: 'update_tag' }]);
    expect((await talk.services.tags.get(id)).name).toBe('Changed');
  });

  it.each([
    ['starts something', { on_arrival: { run_prompts: true } }],
    ['keeps its documents from models', { never_to_model: true as const }],
  ])('does not cover the deletion of a tag that %s since', async (_, change) => {
    const talk = conversation([
      (request) => (request.messages.length > 0 ? propose(remove()) : {}),
      () => call('delete_tag', remove().arguments),
    ]);
    const { tag_id } = await talk.services.tags.create({ name: 'T' }, { call_id: 'x' });
    function remove() {
      return { id: 'd', tool: 'delete_tag', arguments: { tag_id } };
    }
    await talk.start();
    Object.assign(
      talk.services.store.tags.find((tag) => tag.tag_id === tag_id)!,
      change,
    );
    await talk.decide({ approved: true });
    expect(talk.waiting()).toMatchObject([{ name: 'delete_tag' }]);
  });

  it('does not run a covered call whose target another user changes right before it runs', async () => {
    let id = '';
    const step = () => ({ id: 'u', tool: 'update_tag', arguments: { tag_id: id, color: '#00ff00' } });
    const steps: ScriptedStep[] = [() => propose(step()), () => call('update_tag', step().arguments)];
    const talk = conversation(steps, {
      onRecords: async (added) => {
        const isCovered = added.some(({ kind, tool, plan }) => kind === 'proposed' && tool === 'update_tag' && plan);
        if (isCovered) await talk.services.tags.update(id, { name: 'Changed' }, { call_id: 'y' });
      },
    });
    id = (await talk.services.tags.create({ name: 'T' }, { call_id: 'x' })).tag_id;
    await talk.start();
    await talk.decide({ approved: true });
    expect(talk.calls().at(-1)).toMatchObject({ success: false, error: expect.stringMatching(/^stale_proposal/u) });
    expect((await talk.services.tags.get(id)).color).not.toBe('#00ff00');
  });

  it('covers a call whose target an earlier step of the plan changed', async () => {
    const calls = (tag_id: string) => [
      { id: 'one', tool: 'update_tag', arguments: { tag_id, color: '#00ff00' } },
      { id: 'two', tool: 'update_tag', arguments: { tag_id, name: 'Two' } },
    ];
    let id = '';
    const talk = conversation([
      () => propose(...calls(id)),
      () => call('update_tag', calls(id)[0]!.arguments),
      () => call('update_tag', calls(id)[1]!.arguments),
    ]);
    id = (await talk.services.tags.create({ name: 'T' }, { call_id: 'x' })).tag_id;
    await talk.start();
    expect(await talk.decide({ approved: true })).toMatchObject({ status: 'completed' });
    expect(await talk.services.tags.get(id)).toMatchObject({ name: 'Two', color: '#00ff00' });
  });
});
