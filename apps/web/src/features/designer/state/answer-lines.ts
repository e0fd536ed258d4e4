import type { PendingTool } from '@docwright/contract';
import { isRecord, parseJson } from '../../../shared/http/json-value.ts';

const records = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);

/** What the person said to the questions of a call, a line for each: its header and the chosen words. */
export function answerLines(call: PendingTool, result: unknown): string[] {
  if (call.function.name !== 'ask_questions' || !isRecord(result)) return [];
  if (result['skipped'] === true) return ['Skipped'];
  const args = parseJson(call.function.arguments);
  const questions = records(isRecord(args) ? args['questions'] : undefined);
  return records(result['answers']).flatMap(({ question_id, option_ids, other }) => {
    const question = questions.find(({ id }) => id === question_id);
    const chosen = records(question?.['options']).filter(
      ({ id }) => Array.isArray(option_ids) && option_ids.includes(id),
    );
    const words = [...chosen.map(({ label }) => label), other].filter((word) => typeof word === 'string');
    const header = typeof question?.['header'] === 'string' ? `${question['header']}: ` : '';
    return words.length === 0 ? [] : [header + words.join(', ')];
  });
}
