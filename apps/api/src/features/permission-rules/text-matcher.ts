import type { MatchText } from '@docwright/agent-core';
import { LruMap } from 'toad-cache';
import { compileLinearPattern } from '../schemas/index.ts';

/**
 * Maximum steps of the engine: the size of a pattern's program times the length of the text. About 40 million steps
 * block the process for a second.
 */
const maxDecisionSteps = 10_000_000;
const maxSimulationSteps = 40_000_000;

/** Matches until its budget is spent, then throws. */
interface TextMatcher {
  matchText: MatchText;
  isSpent(): boolean;
}

/** Creates a matcher for each decision and simulation; recently used patterns stay compiled. */
export type TextMatchers = ReturnType<typeof createTextMatchers>;

export function createTextMatchers() {
  const patterns = new LruMap<ReturnType<typeof compileLinearPattern>>(500);

  function compiled(pattern: string) {
    const known = patterns.get(pattern);
    if (known) return known;
    const compiledPattern = compileLinearPattern(pattern);
    patterns.set(pattern, compiledPattern);
    return compiledPattern;
  }

  function matcherOf(budget: number): TextMatcher {
    let remainingSteps = budget;
    return {
      isSpent: () => remainingSteps <= 0,
      matchText(pattern, text) {
        const expression = compiled(pattern);
        remainingSteps -= expression.programSize * text.length;
        if (remainingSteps <= 0) throw new Error('The texts are too long for the patterns.');
        return expression.test(text);
      },
    };
  }

  return {
    forDecision: (): TextMatcher => matcherOf(maxDecisionSteps),
    forSimulation: (): TextMatcher => matcherOf(maxSimulationSteps),
  };
}
