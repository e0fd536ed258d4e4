import { describe, expect, it } from 'vitest';
import { drain, practiceInput, type Notebook } from '../testing/practice-turn.ts';
import { scriptedLlm, type ScriptedStep } from '../testing/scripted-llm.ts';

async function turn(steps: readonly ScriptedStep[]) {
  const notes: Notebook = { ran: [] };
  const { result } = await drain(practiceInput(scriptedLlm(steps), notes));
  return result;
}

describe('a turn whose last answer is not whole', () => {
  it.each([
    [{ text: 'Half an ans', finishReason: 'length' }, 'model_answer_cut'],
    [{ text: 'Half an ans', finishReason: 'content_filter' }, 'model_content_filtered'],
    [{ text: '' }, 'model_empty_answer'],
    [{ thinking: 'Hm.' }, 'model_empty_answer'],
  ])('%j failed, and keeps its text', async (step, code) => {
    const result = await turn([step]);
    expect(result).toMatchObject({ status: 'failed', error: { code }, text: 'text' in step ? step.text : '' });
  });

  it('is not failed if complete calls came before the cut', async () => {
    const calls = [{ name: 'read_note' }];
    expect(await turn([{ calls, finishReason: 'length' }, { text: 'Done.' }])).toMatchObject({ status: 'completed' });
  });
});

describe('a turn whose model repeats a failing call', () => {
  const unknown = (name: string) => ({ calls: [{ name }] });

  it('ends after three unknown tools: people get one line, the model the list', async () => {
    const llm = scriptedLlm([unknown('a'), unknown('b'), unknown('c')]);
    const { result } = await drain(practiceInput(llm, { ran: [] }));
    expect(result).toMatchObject({ status: 'failed', error: { code: 'model_repeats_itself' } });
    expect(result.executedRounds[0]?.tool_calls[0]?.error).toBe('The model called a tool that does not exist.');
    expect(JSON.stringify(llm.requests[1]?.messages.at(-1))).toContain('read_note');
  });

  it('ends after three equal failing calls', async () => {
    const wrong = { calls: [{ name: 'read_note', args: { page_number: 3 } }] };
    expect(await turn([wrong, wrong, wrong])).toMatchObject({
      status: 'failed',
      error: { code: 'model_repeats_itself' },
    });
  });

  it('goes on while the calls differ or succeed', async () => {
    const wrong = (page_number: number) => ({ calls: [{ name: 'read_note', args: { page_number } }] });
    const right = { calls: [{ name: 'read_note' }] };
    const steps = [wrong(1), wrong(2), right, right, right, wrong(1), { text: 'Done.' }];
    expect(await turn(steps)).toMatchObject({ status: 'completed' });
  });
});

describe('arguments that are not quite JSON', () => {
  it('are repaired and marked', async () => {
    const calls = [{ name: 'read_note', arguments: '"{}"' }];
    const result = await turn([{ calls }, { text: 'Done.' }]);
    expect(result.executedRounds[0]?.tool_calls[0]).toMatchObject({ success: true, arguments: '{}', repaired: true });
    const written = [{ name: 'read_note', arguments: '{}', repaired: true as const }];
    const ofText = await turn([{ calls: written }, { text: 'Done.' }]);
    expect(ofText.executedRounds[0]?.tool_calls[0]).toMatchObject({ success: true, repaired: true });
  });
});
