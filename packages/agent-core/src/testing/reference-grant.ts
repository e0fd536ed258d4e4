import { isDeepStrictEqual } from 'node:util';

/** A step as the user approved it. */
export interface ApprovedStep {
  id: string;
  tool: string;
  arguments: Record<string, unknown>;
}

export interface RunCall {
  tool: string;
  args: Record<string, unknown>;
}

/** Whether an approved step covers a call: a reference implementation, written from the description. */
export function coversCall(
  wanted: ApprovedStep,
  ran: RunCall,
  made: (stepId: string) => unknown,
  chosen: readonly string[],
): boolean {
  const keys = new Set([...Object.keys(wanted.arguments), ...Object.keys(ran.args)]);
  return (
    wanted.tool === ran.tool &&
    [...keys].every((key) => {
      const expected = wanted.arguments[key];
      const actual = ran.args[key];
      if (typeof expected !== 'object' || expected === null) return isDeepStrictEqual(expected, actual);
      if (chosen.includes(key)) return false;
      if ('$from' in expected) return actual !== undefined && actual === made(String(expected.$from));
      return typeof actual === 'string' && actual.length <= (expected as { max_length: number }).max_length;
    })
  );
}
