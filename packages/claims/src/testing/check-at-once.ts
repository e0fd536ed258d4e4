import type { Claim } from '@docwright/contract';
import { claimsOf, type AnswerToCheck } from '../check-claims.ts';

/** The claims of an answer, without turns for other work. */
export const checkAtOnce = (answer: AnswerToCheck): Claim[] =>
  [...claimsOf(answer)].filter((claim) => claim !== undefined);
