import type { PermissionRule, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userMessage, startChatTestBench, type ChatTestBench } from '../../apps/api/src/testing/chat-test-bench.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

const rules = async () =>
  (await bench.admin.get<{ permission_rules: PermissionRule[] }>('./permission_rules?limit=100')).body.permission_rules;

describe('a rule that an approval creates', () => {
  it.each(['*', 'create_*', 'no_such_tool'])('is refused for a call that the model named %s', async (name) => {
    const { chat } = await bench.documentOf(bench.admin);
    bench.script(
      {
        calls: [
          { name, args: {} },
          { name: 'create_tag', args: { name: crypto.randomUUID() } },
        ],
      },
      { text: 'Done.' },
    );
    const { body: answer } = await bench.admin.post<TurnAnswer>(chat, userMessage('Go on'));
    expect(answer.status).toBe('awaiting_approval');
    const everything = answer.tool_calls.map(({ id }) => ({ call_id: id, approved: true, remember: 'organization' }));
    const refused = await bench.admin.post(`${chat}/approve`, { turn_id: answer.turn_id, approvals: everything });
    expect([refused.status, refused.error?.code]).toEqual([422, 'remember_needs_waiting_call']);
    expect(await rules()).toEqual([]);

    // The refused decision has no effect; the pending call can still be decided.
    const waiting = answer.tool_calls.filter(({ needs_approval }) => needs_approval);
    const approvals = waiting.map(({ id }) => ({ call_id: id, approved: true }));
    const done = await bench.admin.post<TurnAnswer>(`${chat}/approve`, { turn_id: answer.turn_id, approvals });
    expect(done.body.status).toBe('completed');
    expect(await rules()).toEqual([]);
  });

  it('names exactly the tool of the pending call', async () => {
    const { chat } = await bench.documentOf(bench.admin);
    bench.script({ calls: [{ name: 'create_tag', args: { name: crypto.randomUUID() } }] }, { text: 'Done.' });
    const { body: answer } = await bench.admin.post<TurnAnswer>(chat, userMessage('Go on'));
    const approvals = [{ call_id: answer.tool_calls[0]?.id, approved: true, remember: 'thread' }];
    await bench.admin.post(`${chat}/approve`, { turn_id: answer.turn_id, approvals });
    expect((await rules()).map(({ tool }) => tool)).toEqual(['create_tag']);
  });
});

describe('a name that a model proposes', () => {
  it.each([
    ['turns the text around', 'Paid\u202egnitset'],
    ['has letters that are not shown', 'Pa\u200bid'],
    ['has only such letters', '\u3164'],
    ['hides a message', 'Paid\u{e0041}\u{e0042}'],
    ['has a second line', 'Paid\nand approved'],
  ])('is refused if it %s: a user who approves it would see another one', async (_how, name) => {
    const { chat } = await bench.documentOf(bench.admin);
    bench.script({ calls: [{ name: 'create_tag', args: { name } }] }, { text: 'I cannot.' });
    const { body } = await bench.admin.post<TurnAnswer>(chat, userMessage('Go on'));
    expect([body.status, body.executed_rounds[0]!.tool_calls[0]!.success]).toEqual(['completed', false]);
    expect((await bench.admin.post('./tags', { name })).status).toBe(422);
  });

  it('may have the joiners of emoji and of scripts', async () => {
    const names = ['👩\u200d💻 Rechnungen', 'نامه\u200cها', 'Überweisung', '請求書'];
    for (const name of names) expect((await bench.admin.post('./tags', { name })).status).toBe(201);
  });
});
