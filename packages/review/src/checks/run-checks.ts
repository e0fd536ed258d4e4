import type { CheckSeverity, ParsedCheck } from './parse-check.ts';

/** A check that a result fails. */
export interface FailedCheck {
  readonly id: string;
  readonly message: string;
  readonly severity: CheckSeverity;
  /** The fields in its expression, from `parseCheck`: `line_items[].amount`. */
  readonly fields: readonly string[];
}

/** The outcome of the checks that did not pass. */
export interface CheckOutcome {
  readonly failed: readonly FailedCheck[];
  /** Ids of checks that could not be computed, because a value is null or of another type, or the result is too large. */
  readonly notComputed: readonly string[];
}

/** Maximum number of steps of one check: about 0.1 s on a slow core. */
const maxSteps = 1_000_000;

/**
 * Runs checks on a result. A check that cannot be computed does not fail.
 *
 * @example
 * ```ts
 * import { parseCheck, runChecks } from '@docwright/review';
 *
 * const schema = { type: 'object', properties: { net: { type: 'number' }, gross: { type: 'number' } } };
 * const check = { id: 'sum', expression: 'gross >= net', message: 'Gross is below net', severity: 'error' as const };
 * runChecks([parseCheck(check, schema)], { net: 3, gross: 2 }).failed.map(({ id }) => id); // ['sum']
 * ```
 */
export function runChecks(checks: readonly ParsedCheck[], result: unknown): CheckOutcome {
  const failed: FailedCheck[] = [];
  const notComputed: string[] = [];
  const fields = typeof result === 'object' && result !== null ? (result as Record<string, unknown>) : {};
  const size = sizeOf(fields);
  for (const check of checks) {
    const value = stepsOf(check, size) > maxSteps ? undefined : valueOf(check, fields);
    if (value === undefined) notComputed.push(check.id);
    else if (!value) {
      failed.push({ id: check.id, message: check.message, severity: check.severity, fields: check.fields });
    }
  }
  return { failed, notComputed };
}

function valueOf(check: ParsedCheck, result: Record<string, unknown>): boolean | undefined {
  try {
    const value = check.evaluate(result);
    return typeof value === 'boolean' ? value : undefined;
  } catch {
    // The language throws if an operand is null or of another type.
    return undefined;
  }
}

interface Size {
  readonly longestList: number;
  readonly longestText: number;
}

function sizeOf(value: unknown, depth = 0): Size {
  if (typeof value === 'string') return { longestList: 0, longestText: value.length };
  if (typeof value !== 'object' || value === null || depth > 40) return { longestList: 0, longestText: 0 };
  let longestList = Array.isArray(value) ? value.length : 0;
  let longestText = 0;
  for (const item of Object.values(value)) {
    const inside = sizeOf(item, depth + 1);
    longestList = Math.max(longestList, inside.longestList);
    longestText = Math.max(longestText, inside.longestText);
  }
  return { longestList, longestText };
}

function stepsOf({ nodes, listDepth }: ParsedCheck, { longestList, longestText }: Size): number {
  return nodes * Math.max(1, longestList) ** listDepth * (1 + longestText / 1000);
}
