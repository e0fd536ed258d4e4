import type { ReasoningLevel } from '@docwright/contract';
import { UsageError } from '../context/exit-codes.ts';

const levels: readonly ReasoningLevel[] = ['off', 'low', 'medium', 'high'];

/** The level of `--thinking`; undefined without it. */
export function thinkingLevel(named: string | undefined): ReasoningLevel | undefined {
  if (named === undefined) return undefined;
  const level = levels.find((each) => each === named);
  if (level === undefined) throw new UsageError(`--thinking takes ${levels.join(', ')}, not "${named}".`);
  return level;
}
