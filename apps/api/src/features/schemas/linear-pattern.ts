import { RE2JS } from 're2js';

const longestPattern = 1000;
/** Of the engine's instructions; repeat counts multiply them. */
const largestProgram = 2000;

/** A compiled pattern as Ajv wants it; `toString` is its key in Ajv's generated code. */
interface LinearPattern {
  test(text: string): boolean;
  /** In the engine's instructions: matching takes at most so many steps for each character. */
  programSize: number;
  toString(): string;
}

/**
 * Compiles a schema's `pattern` for an engine whose time is linear in the text, because a
 * pattern may come from anyone and a backtracking one could hold up the whole process.
 * Throws where the engine does not know the syntax (look-around, back references).
 */
export function compileLinearPattern(pattern: string): LinearPattern {
  const compiled = compile(pattern);
  return { test: (text) => compiled.test(text), programSize: compiled.programSize(), toString: () => pattern };
}

/** What is wrong with a pattern and how to cure it, or undefined. */
export function problemOfPattern(pattern: string): string | undefined {
  if (pattern.length > longestPattern) {
    return `This pattern is longer than ${longestPattern} characters. Shorten it.`;
  }
  try {
    return compile(pattern).programSize() > largestProgram
      ? 'This pattern repeats too much to be checked quickly. Use smaller repeat counts, or minLength and maxLength.'
      : undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown syntax';
    return `This pattern cannot be used (${reason}). Write it without look-around, back references and repeat counts over 1000.`;
  }
}

function compile(pattern: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}
