import type { TurnResult } from '@docwright/agent-core';
import type { AgentQuestion } from '@docwright/contract';

/** What is kept as the agent's answer, never empty. Where it waits for the person, that is a question as well. */
export function wordsOf(result: TurnResult, isStopped: boolean): { text: string; question: AgentQuestion | null } {
  const question = questionOf(result);
  return { text: textOf(result, question, isStopped), question };
}

function questionOf(result: TurnResult): AgentQuestion | null {
  if (!('pending' in result)) return null;
  const call = result.pending.batch.calls.find(
    ({ name, needs_approval }) => name === 'apply_pipeline' && needs_approval,
  );
  const { collection_name } = JSON.parse(call?.arguments ?? '{}') as { collection_name: string };
  const message = `Shall the pipeline be applied as the collection “${collection_name}”? Apply it, or tell me what to change.`;
  return { question: 'apply_pipeline', message, collection_name };
}

function textOf(result: TurnResult, question: AgentQuestion | null, isStopped: boolean): string {
  const said = [...result.executedRounds.map(({ text }) => text), result.text].map((text) => text.trim());
  const words = (last: string) => [...said, last].filter((text) => text !== '').join('\n\n');
  if (question) return words(question.message);
  if (isStopped && result.status === 'stopped') return words('You stopped me here. What was built until then stays.');
  if (result.status === 'completed') return words('') || 'Done.';
  if (result.status === 'max_rounds') {
    return words('This took more steps than I may take at once. What I did until then stays; tell me to go on.');
  }
  const why =
    result.status === 'failed'
      ? `I could not finish. ${result.error.message}`
      : 'The server ended before I could finish.';
  return words(`${why} What I did until then stays.`);
}
