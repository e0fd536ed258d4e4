import { fold } from '../page/fold.ts';
import { plainText } from '../plan/plain-text.ts';

export interface ListedTask {
  id: string;
  title: string;
  is_completed: boolean;
  due_at?: string;
  document_id?: string;
}

/** The result of a search: the tasks that the user means, the tasks among which the user must choose, or none. */
export type FoundTasks =
  | { kind: 'these'; tasks: ListedTask[] }
  | { kind: 'which'; among: ListedTask[] }
  | { kind: 'none' };

const ignoredWords = new Set(
  'a an the my this that these those task tasks todo todos to do one ones item reminder about for of with called named please it them and is in on off'.split(
    ' ',
  ),
);
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
/** A line that `taskLines` writes. */
const listLine = /^\s*(?<number>\d+)\.\s+\*\*(?<title>.+?)\*\*/gmu;

/** Like `findTask`, for several tasks in one list. */
export function findTasks(reference: string, tasks: readonly ListedTask[], lastAnswer: string): FoundTasks {
  const whole = findTask(reference, tasks, lastAnswer);
  const parts = reference.split(/\s*,\s*(?:and\s+)?|\s+and\s+/iu).filter((part) => part !== '');
  if (whole.kind === 'these' || parts.length < 2) return whole;
  const found = parts.map((part) => findTask(part, tasks, lastAnswer));
  const meant = found.flatMap((result) => (result.kind === 'these' ? result.tasks : []));
  return found.every(({ kind }) => kind === 'these') ? { kind: 'these', tasks: [...new Set(meant)] } : whole;
}

/**
 * Finds tasks by a title, words of a title, a position in the displayed list, `it`, or `all`.
 * `lastAnswer` is the model's previous message.
 */
function findTask(reference: string, tasks: readonly ListedTask[], lastAnswer: string): FoundTasks {
  const text = fold(reference)
    .toLowerCase()
    .replaceAll(/["“”'«»]/gu, '')
    .trim();
  const all = /^(?:all|every|everything)\b(?<which>.*)$/u.exec(text);
  if (all) return these(tasks.filter((task) => isMeant(task, all.groups?.which ?? '')));
  const exact = tasks.filter(({ title }) => fold(title).toLowerCase() === text);
  if (exact.length > 0) return certain(exact);
  const numbered = numberOf(text);
  if (numbered !== undefined) {
    const title = [...lastAnswer.matchAll(listLine)].find(({ groups }) => Number(groups?.number) === numbered)?.groups
      ?.title;
    return title === undefined
      ? { kind: 'which', among: [...tasks] }
      : certain(tasks.filter((task) => plainText(task.title) === title));
  }
  const words = wordsIn(text);
  if (words.length === 0) {
    const mentioned = tasks.filter(({ title }) => lastAnswer.includes(`“${plainText(title)}”`));
    return text !== '' && mentioned.length === 1
      ? these(mentioned)
      : { kind: 'which', among: mentioned.length > 1 ? mentioned : [...tasks] };
  }
  const full = tasks.filter(({ title }) => words.every((word) => has(wordsIn(fold(title).toLowerCase()), word)));
  if (full.length > 0) return certain(full);
  const partly = tasks.filter(({ title }) => words.some((word) => has(wordsIn(fold(title).toLowerCase()), word)));
  return partly.length > 0 ? { kind: 'which', among: partly } : { kind: 'none' };
}

function these(tasks: ListedTask[]): FoundTasks {
  return tasks.length > 0 ? { kind: 'these', tasks } : { kind: 'none' };
}

/** The result for a reference to one task: among several matches, the only open one. */
function certain(tasks: ListedTask[]): FoundTasks {
  if (tasks.length === 1) return { kind: 'these', tasks };
  const open = tasks.filter(({ is_completed }) => !is_completed);
  if (open.length === 1) return { kind: 'these', tasks: open };
  return tasks.length === 0 ? { kind: 'none' } : { kind: 'which', among: tasks };
}

function isMeant({ is_completed }: ListedTask, which: string): boolean {
  if (/\b(?:done|completed|finished)\b/u.test(which)) return is_completed;
  return /\b(?:open|pending)\b/u.test(which) ? !is_completed : true;
}

function numberOf(text: string): number | undefined {
  const digits = /^(?:the\s+)?(?:task|number|no\.?|#)?\s*#?(\d{1,3})(?:st|nd|rd|th)?(?:\s+(?:one|task))?$/u.exec(
    text,
  )?.[1];
  if (digits !== undefined) return Number(digits);
  const word = /^(?:the\s+)?(\p{L}+)(?:\s+(?:one|task))?$/u.exec(text)?.[1] ?? '';
  const at = ordinals.indexOf(word);
  return at === -1 ? undefined : at + 1;
}

function wordsIn(text: string): string[] {
  return (text.match(/[\p{L}\d]+/gu) ?? []).filter((word) => !ignoredWords.has(word));
}

/** Whether the words contain a word, whatever its ending: `tasks` matches `task`, and `paying` matches `pay`. */
function has(words: readonly string[], wanted: string): boolean {
  const stem = wanted.replace(/(?:ing|s)$/u, '');
  return words.some((word) => word === wanted || (stem.length > 2 && word.replace(/(?:ing|s)$/u, '') === stem));
}
