import { problemOfPattern } from '../schemas/index.ts';
import { canBacktrackWithoutBound } from './backtracking-rule.ts';

/** The reason why a text cannot be a column's regex, with the cure; undefined if it can. */
export function problemOfRegex(regex: string): string | undefined {
  const problem = problemOfPattern(regex);
  if (problem !== undefined) return problem;
  return canBacktrackWithoutBound(regex)
    ? 'It repeats a group that can match the same text in several ways, as (a+)+ does, which takes other programs exponential time. Write it with one repetition, or with a separator between the rounds: (a+-)+.'
    : undefined;
}
