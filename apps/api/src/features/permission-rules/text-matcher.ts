import type { MatchText } from '@docwright/agent-core';
import { LruMap } from 'toad-cache';
import { compileLinearPattern } from '../schemas/index.ts';

/**
 * Steps of the engine, at most: the size of a pattern's program times the length of the text. Some 40 million of them
 * take a second in which the process does nothing else.
 */
const stepsOfDecision = 10_000_000;
const stepsOfSimulation = 40_000_000;

/** Matches until its budget is spent, and throws from then on. */
interface TextMatcher {
  matchText: MatchText;
  isSpent(): boolean;
}

/** Gives each decision and each simulation a matcher of its own; patterns that were used lately stay compiled. */
export interface TextMatchers {
  forDecision(): TextMatcher;
  forSimulation(): TextMatcher;
}

export function createTextMatchers(): TextMatchers {
  const patterns = new LruMap<ReturnType<typeof compileLinearPattern>>(500);

  function compiled(pattern: string) {
    const known = patterns.get(pattern);
    if (known) return known;
    const made = compileLinearPattern(pattern);
    patterns.set(pattern, made);
    return made;
  }

  function matcherOf(budget: number): TextMatcher {
    let left = budget;
    return {
      isSpent: () => left <= 0,
      matchText(pattern, text) {
        const expression = compiled(pattern);
        left -= expression.programSize * text.length;
        if (left <= 0) throw new Error('The texts are too long for the patterns.');
        return expression.test(text);
      },
    };
  }

  return { forDecision: () => matcherOf(stepsOfDecision), forSimulation: () => matcherOf(stepsOfSimulation) };
}
