import type { CallAnswers, ProposedCall, TurnAnswer } from '@docwright/contract';
import type { CommandContext } from '../context/context.ts';
import { unlessInterrupted } from '../terminal/asker.ts';
import { printable, printableLine } from '../terminal/terminal-text.ts';

interface Option {
  id: string;
  label: string;
  description?: string;
}
interface Question {
  id: string;
  header: string;
  question_text: string;
  options: Option[];
  multi_select?: boolean;
  allow_other?: boolean;
}
type Answer = CallAnswers['answers'][number];

/** Asks the user the agent's questions. The user can also leave the turn pending. */
export async function answerQuestions(
  context: CommandContext,
  { tool_calls }: TurnAnswer,
): Promise<{ answers?: CallAnswers[] } | 'leave'> {
  const answers: CallAnswers[] = [];
  for (const call of tool_calls.filter(({ name }) => name === 'ask_questions')) {
    const given: Answer[] = [];
    for (const question of questionsOf(call)) {
      const answer = await answerQuestion(context, question);
      if (answer === undefined) return 'leave';
      given.push(answer);
    }
    answers.push({ call_id: call.id, answers: given });
  }
  return answers.length === 0 ? {} : { answers };
}

/** The questions of a call. The server has validated its arguments. */
function questionsOf(call: ProposedCall): Question[] {
  const { questions } = JSON.parse(call.arguments) as { questions?: Question[] };
  return questions ?? [];
}

async function answerQuestion({ asker, output }: CommandContext, question: Question): Promise<Answer | undefined> {
  const { id, header, question_text, options, multi_select = false, allow_other = true } = question;
  output.note(`${output.style('bold', printableLine(header))}\n${printable(question_text)}`);
  for (const [at, { label, description }] of options.entries()) {
    const more = description === undefined ? '' : output.style('dim', ` ${printableLine(description)}`);
    output.note(`  ${at + 1}  ${printableLine(label)}${more}`);
  }
  const how = [
    ...(options.length > 0 ? [multi_select ? 'numbers, comma-separated' : 'a number'] : []),
    ...(allow_other ? ['your own words'] : []),
  ].join(', or ');
  for (;;) {
    const line = await unlessInterrupted(asker.ask(`Answer (${how}; Enter for no answer): `));
    if (line === undefined) return undefined;
    const answer = readAnswer(line.trim(), { id, options, multi_select, allow_other });
    if (answer !== undefined) return answer;
    output.note(`Answer with ${how}.`);
  }
}

/** Parses a line as an answer; undefined if it is not a valid answer. */
export function readAnswer(
  line: string,
  {
    id,
    options,
    multi_select,
    allow_other,
  }: Pick<Question, 'id' | 'options'> & {
    multi_select: boolean;
    allow_other: boolean;
  },
): Answer | undefined {
  if (line === '') return { question_id: id, option_ids: [] };
  const numbers = line.split(',').map((part) => Number(part.trim()));
  const chosen = numbers.map((number) => options[number - 1]?.id);
  if (chosen.every((option) => option !== undefined)) {
    const option_ids = [...new Set(chosen)];
    return multi_select || option_ids.length === 1 ? { question_id: id, option_ids } : undefined;
  }
  return allow_other ? { question_id: id, option_ids: [], other: line } : undefined;
}
