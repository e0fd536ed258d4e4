import { RE2JS } from 're2js';

const maxPatternLength = 1000;
/** In instructions of the engine; repeat counts multiply them. */
const maxProgramSize = 2000;

/** A compiled pattern for Ajv; `toString` is its key in Ajv's generated code. */
interface LinearPattern {
  test(text: string): boolean;
  /** In instructions of the engine: the maximum number of steps for each character. */
  programSize: number;
  toString(): string;
}

/**
 * Compiles a schema's `pattern` for an engine with linear time: patterns are untrusted, and backtracking could block the
 * whole process. Throws for syntax that the engine does not support (look-around, back references).
 */
export function compileLinearPattern(pattern: string): LinearPattern {
  const compiled = compile(pattern);
  return { test: (text) => compiled.test(text), programSize: compiled.programSize(), toString: () => pattern };
}

/** The problem of a pattern with its cure; undefined for a valid pattern. */
export function problemOfPattern(pattern: string): string | undefined {
  if (pattern.length > maxPatternLength) {
    return `This pattern is longer than ${maxPatternLength} characters. Shorten it.`;
  }
  try {
    return compile(pattern).programSize() > maxProgramSize
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
