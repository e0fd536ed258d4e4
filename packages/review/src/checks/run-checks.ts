import type { CheckSeverity, ParsedCheck } from './parse-check.ts';

/** A check that a result does not hold. */
export interface FailedCheck {
  readonly id: string;
  readonly message: string;
  readonly severity: CheckSeverity;
  /** As `parseCheck` names them: `line_items[].amount`. */
  readonly fields: readonly string[];
}

export interface CheckOutcome {
  readonly failed: readonly FailedCheck[];
  /** Ids of checks that could not be computed: a value is null, is of another type, or the result is too large. */
  readonly notComputed: readonly string[];
}

/** Steps that one check may take: about a tenth of a second on a slow core. */
const maxSteps = 1_000_000;

/**
 * Holds a result against checks. A check fails only where it can be computed and is false.
 *
 * @example runChecks([parsed], { net: 3, gross: 2 }).failed // [{ id: 'sum', … }]
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
    // The language throws where an operand is null or of another type. There is nothing to fail on then.
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
