import type { CalculationEvidence, Evidence } from '@docwright/claims';
import { DomainError } from '@docwright/contract';
import { Environment, type ASTNode } from '@marcbachmann/cel-js';
import { idOf } from './cells.ts';
import { numberOf } from './values.ts';

const invalid = (message: string): DomainError => new DomainError('invalid', 'invalid_expression', message);

/** The ids of the values in an expression. */
export const valuesIn = (expression: string): string[] =>
  [...expression.matchAll(/\bv\(\s*["']([^"']+)["']\s*\)/gu)].map(([, id]) => id!);

/** Enforced by the parser. A calculation is a line, and not a program. */
const limits = { maxAstNodes: 200, maxDepth: 40, maxListElements: 50, maxMapEntries: 0, maxCallArguments: 4 };

/** The methods of a value: the parts of a date. Iterations, patterns and names for values would let a short text run for hours. */
const methods = /^get[A-Z]/u;

function refuseMethods(node: unknown): void {
  if (Array.isArray(node)) node.forEach(refuseMethods);
  if (typeof node !== 'object' || node === null || !('op' in node)) return;
  const { op, args } = node as ASTNode;
  if (op === 'rcall' && !methods.test(args[0])) {
    throw invalid(
      `${args[0]}() cannot be used in a calculation. Use + - * /, and aggregates of query_results for lists.`,
    );
  }
  refuseMethods(args);
}

/**
 * Calculates an expression in CEL over cited values, written `v("id")`.
 *
 * @throws DomainError `invalid_expression` for an unknown id, two currencies, or an expression that cannot be evaluated
 */
export function calculate(expression: string, shown: ReadonlyMap<string, Evidence>): CalculationEvidence {
  const inputs: Evidence[] = [];
  const environment = new Environment({ limits }).registerFunction('v(string): dyn', (id: string) => {
    const evidence = shown.get(id);
    if (evidence === undefined || evidence.kind === 'passage') throw invalid(`No query answered the id ${id}.`);
    inputs.push(evidence);
    return operandOf(evidence);
  });
  let value: unknown;
  try {
    const parsed = environment.parse(withDecimals(expression));
    refuseMethods(parsed.ast);
    value = parsed();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const cause = error instanceof Error ? (error.cause instanceof DomainError ? error.cause : error) : undefined;
    throw invalid(`The expression cannot be evaluated: ${cause?.message.split('\n')[0] ?? 'unknown error'}`);
  }
  if (inputs.length === 0) throw invalid('Name the values as v("id"), with ids of query_results.');
  const currencies = new Set(inputs.flatMap(({ currency }) => currency ?? []));
  if (currencies.size > 1) {
    throw invalid(
      `Amounts in ${[...currencies].join(' and ')} cannot be calculated with each other. Answer by currency.`,
    );
  }
  const result = plainValue(value);
  const isPlain = typeof result !== 'number' || /\/\s*\(*\s*v\(/u.test(expression) || typeof value !== 'number';
  const [currency] = currencies;
  return {
    kind: 'calculation',
    id: idOf('x', expression),
    value: result,
    inputs: [...new Set(inputs.map(({ id }) => id))],
    ...(isPlain ? { is_plain: true } : currency !== undefined && { currency }),
    ...(isDuration(value) && { unit: 'day' }),
  };
}

function operandOf(evidence: Exclude<Evidence, { kind: 'passage' }>): unknown {
  const { value } = evidence;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/u.test(value)) return new Date(value);
  return numberOf(value) ?? value;
}

/** Whole numbers outside of texts as decimals: CEL does not multiply a decimal by a whole number. */
const withDecimals = (expression: string): string =>
  expression.replaceAll(/"[^"]*"|'[^']*'|(?<![\w.])\d+(?![\w.])/gu, (part) => (/^\d/u.test(part) ? `${part}.0` : part));

const isDuration = (value: unknown): value is { seconds: unknown } =>
  typeof value === 'object' && value !== null && 'seconds' in value;

/** A duration in days, a time as its day. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'number') return Math.round(value * 1e6) / 1e6;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (isDuration(value)) return Number(value.seconds) / 86_400;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  throw invalid('The expression must give a number, a date, a text or a yes or no.');
}
