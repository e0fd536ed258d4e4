import { plainText } from '../conversation/markdown.ts';
import { fold } from '../page/fold.ts';

export interface ListedTask {
  id: string;
  title: string;
  is_completed: boolean;
  due_at?: string;
  document_id?: string;
}

/** The result of a search: the tasks that the user means, several of which the user must choose one, or none. */
export type FoundTasks =
  | { kind: 'found'; tasks: ListedTask[] }
  | { kind: 'several'; tasks: ListedTask[] }
  | { kind: 'none' };

const ignoredWords = new Set(
  'a an the my this that these those task tasks todo todos to do one ones item reminder about for of with called named please it them and is in on off'.split(
    ' ',
  ),
);
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
/** A line of `taskList`. */
const listLine = /^\s*(?<number>\d+)\.\s+\*\*(?<title>.+?)\*\*/gmu;

/** Finds the tasks of a reference such as `the call`, `number 2` or `the call and the letter`. `lastAnswer` is the model's previous message. */
export function findTasks(reference: string, tasks: readonly ListedTask[], lastAnswer: string): FoundTasks {
  const whole = findTask(reference, tasks, lastAnswer);
  const parts = reference.split(/\s*,\s*(?:and\s+)?|\s+and\s+/iu).filter((part) => part !== '');
  if (whole.kind === 'found' || parts.length < 2) return whole;
  const results = parts.map((part) => findTask(part, tasks, lastAnswer));
  const found = results.flatMap((result) => (result.kind === 'found' ? result.tasks : []));
  return results.every(({ kind }) => kind === 'found') ? { kind: 'found', tasks: [...new Set(found)] } : whole;
}

/** Finds tasks by a title, words of a title, a position in the displayed list, `it`, or `all`. */
function findTask(reference: string, tasks: readonly ListedTask[], lastAnswer: string): FoundTasks {
  const text = fold(reference)
    .toLowerCase()
    .replaceAll(/["“”'«»]/gu, '')
    .trim();
  const all = /^(?:all|every|everything)\b(?<which>.*)$/u.exec(text);
  if (all) return foundOrNone(tasks.filter((task) => hasStatus(task, all.groups?.which ?? '')));
  const sameTitle = tasks.filter(({ title }) => fold(title).toLowerCase() === text);
  if (sameTitle.length > 0) return oneOf(sameTitle);
  const number = numberIn(text);
  if (number !== undefined) {
    const lines = [...lastAnswer.matchAll(listLine)];
    const title = lines.find(({ groups }) => Number(groups?.number) === number)?.groups?.title;
    return title === undefined
      ? { kind: 'several', tasks: [...tasks] }
      : oneOf(tasks.filter((task) => plainText(task.title) === title));
  }
  const words = wordsIn(text);
  if (words.length === 0) {
    const mentioned = tasks.filter(({ title }) => lastAnswer.includes(`“${plainText(title)}”`));
    return text !== '' && mentioned.length === 1
      ? foundOrNone(mentioned)
      : { kind: 'several', tasks: mentioned.length > 1 ? mentioned : [...tasks] };
  }
  const hasWord = ({ title }: ListedTask, word: string) => hasSimilar(wordsIn(fold(title).toLowerCase()), word);
  const withAllWords = tasks.filter((task) => words.every((word) => hasWord(task, word)));
  if (withAllWords.length > 0) return oneOf(withAllWords);
  const withSomeWords = tasks.filter((task) => words.some((word) => hasWord(task, word)));
  return withSomeWords.length > 0 ? { kind: 'several', tasks: withSomeWords } : { kind: 'none' };
}

function foundOrNone(tasks: ListedTask[]): FoundTasks {
  return tasks.length > 0 ? { kind: 'found', tasks } : { kind: 'none' };
}

/** The result for a reference to one task: among several matches, the only open one. */
function oneOf(tasks: ListedTask[]): FoundTasks {
  if (tasks.length === 1) return { kind: 'found', tasks };
  const open = tasks.filter(({ is_completed }) => !is_completed);
  if (open.length === 1) return { kind: 'found', tasks: open };
  return tasks.length === 0 ? { kind: 'none' } : { kind: 'several', tasks };
}

/** Whether a task is among `all open tasks`, `everything that is done`, or all. */
function hasStatus({ is_completed }: ListedTask, which: string): boolean {
  if (/\b(?:done|completed|finished)\b/u.test(which)) return is_completed;
  return /\b(?:open|pending)\b/u.test(which) ? !is_completed : true;
}

function numberIn(text: string): number | undefined {
  const digits = /^(?:the\s+)?(?:task|number|no\.?|#)?\s*#?(\d{1,3})(?:st|nd|rd|th)?(?:\s+(?:one|task))?$/u.exec(
    text,
  )?.[1];
  if (digits !== undefined) return Number(digits);
  const word = /^(?:the\s+)?(\p{L}+)(?:\s+(?:one|task))?$/u.exec(text)?.[1] ?? '';
  const index = ordinals.indexOf(word);
  return index === -1 ? undefined : index + 1;
}

function wordsIn(text: string): string[] {
  return (text.match(/[\p{L}\d]+/gu) ?? []).filter((word) => !ignoredWords.has(word));
}

/** Whether the words contain a word, whatever its ending: `tasks` matches `task`, and `paying` matches `pay`. */
function hasSimilar(words: readonly string[], wanted: string): boolean {
  const stem = wanted.replace(/(?:ing|s)$/u, '');
  return words.some((word) => word === wanted || (stem.length > 2 && word.replace(/(?:ing|s)$/u, '') === stem));
}
