import { RE2JS } from 're2js';

const maxPatternLength = 1000;
/** In instructions of the engine; repeat counts multiply them. */
const maxProgramSize = 2000;
/** The same of all patterns of a schema together. */
const maxTotalSize = 12_000;

/**
 * Compiles a schema's `pattern` for an engine with linear time: patterns are untrusted, and backtracking could block the
 * whole process. Throws for syntax that the engine does not support (look-around, back references).
 */
export function compileLinearPattern(pattern: string) {
  const compiled = compile(pattern);
  return {
    test: (text: string) => compiled.test(text),
    /** In instructions of the engine: the maximum number of steps for each character. */
    programSize: compiled.programSize(),
    toString: () => pattern,
  };
}

/** The problem of a pattern with its cure; undefined for a valid pattern. */
export function problemOfPattern(pattern: string): string | undefined {
  return problemOfPatterns([pattern])?.problem;
}

/**
 * The first pattern that is not valid, with its problem. Patterns after it are not looked at: large ones take milliseconds each,
 * also to be refused.
 */
export function problemOfPatterns(patterns: readonly string[]): { index: number; problem: string } | undefined {
  let size = 0;
  for (const [index, pattern] of patterns.entries()) {
    const checked = sizeOf(pattern);
    if (typeof checked === 'string') return { index, problem: checked };
    size += checked;
    if (size > maxTotalSize) return { index, problem: tooMuchTogether };
  }
  return undefined;
}

const tooMuchTogether =
  'The patterns of this schema repeat too much together. Use smaller repeat counts, or minLength and maxLength.';

/** The size of a pattern's program, or its problem. */
function sizeOf(pattern: string): number | string {
  if (pattern.length > maxPatternLength) {
    return `This pattern is longer than ${maxPatternLength} characters. Shorten it.`;
  }
  try {
    const size = compile(pattern).programSize();
    return size > maxProgramSize
      ? 'This pattern repeats too much to be checked quickly. Use smaller repeat counts, or minLength and maxLength.'
      : size;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown syntax';
    return `This pattern cannot be used (${reason}). Write it without look-around, back references and repeat counts over 1000.`;
  }
}

function compile(pattern: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}
