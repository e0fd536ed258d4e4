import { DomainError } from '@docwright/contract';
import { expect, it } from 'vitest';
import { drain, practiceInput } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';

const silent = () => new DomainError('model_failed', 'model_timeout', 'The model sent nothing.');

it('asks a silent model once more with twice the time, and no one sees the first request', async () => {
  const llm = scriptedLlm([{ error: silent() }, { text: 'Hello.' }]);
  const { result, events } = await drain(practiceInput(llm, { ran: [] }));
  expect(result).toMatchObject({ status: 'completed', text: 'Hello.' });
  expect(llm.requests.map(({ patience }) => patience)).toEqual([undefined, 2]);
  expect(events.filter(({ type }) => type === 'assistant_text_chunk')).toHaveLength(1);
});

it('asks not again if the model is silent twice, has begun to answer, or failed for another reason', async () => {
  const twice = scriptedLlm([{ error: silent() }, { error: silent() }, { text: 'Late.' }]);
  await expect(drain(practiceInput(twice, { ran: [] }))).rejects.toMatchObject({ code: 'model_timeout' });
  expect(twice.requests).toHaveLength(2);
  const begun = scriptedLlm([{ text: 'Hel', error: silent() }, { text: 'Hello.' }]);
  expect((await drain(practiceInput(begun, { ran: [] }))).result).toMatchObject({ status: 'failed', text: 'Hel' });
  const other = new DomainError('model_failed', 'model_unreachable', 'It is away.');
  const away = scriptedLlm([{ error: other }, { text: 'Hello.' }]);
  await expect(drain(practiceInput(away, { ran: [] }))).rejects.toMatchObject({ code: 'model_unreachable' });
});
