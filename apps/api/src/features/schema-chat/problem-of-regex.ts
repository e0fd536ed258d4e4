import { problemOfPattern } from '../schemas/index.ts';
import { canBacktrackWithoutBound } from './backtracking-rule.ts';

/** What keeps a text from being a column's regex, and how to cure it; undefined where nothing does. */
export function problemOfRegex(regex: string): string | undefined {
  const problem = problemOfPattern(regex);
  if (problem !== undefined) return problem;
  return canBacktrackWithoutBound(regex)
    ? 'It repeats a group that can match the same text in several ways, as (a+)+ does, which takes other programs endless time. Write it with one repetition, or with a separator between the rounds: (a+-)+.'
    : undefined;
}
