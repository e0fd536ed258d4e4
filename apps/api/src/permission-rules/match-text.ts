import type { MatchText } from '@docwright/agent-core';
import { LruMap } from 'toad-cache';
import { compileLinearPattern } from '../schemas/linear-pattern.ts';

type Compiled = ReturnType<typeof compileLinearPattern>;

/** Matches by the linear-time engine; patterns that were used lately stay compiled. */
export function createMatchText(): MatchText {
  const compiled = new LruMap<Compiled>(200);
  return (pattern, text) => {
    let found = compiled.get(pattern);
    if (found === undefined) {
      found = compileLinearPattern(pattern);
      compiled.set(pattern, found);
    }
    return found.test(text);
  };
}
