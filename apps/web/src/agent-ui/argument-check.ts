import { parseJsonWithDigits } from '@docwright/contract';
import { Validator, type OutputUnit } from '@cfworker/json-schema';
import { isRecord } from '../shared/http/json-value.ts';

/** Keywords whose errors only repeat errors below them. */
const wrapperKeywords = new Set(['properties', 'items', 'prefixItems', '$ref', 'allOf', 'additionalProperties']);
const maxProblems = 5;

/**
 * Creates a function that checks the text of a call's arguments against its tool's schema (JSON Schema 2020-12) and
 * returns the problems in words. The validator interprets the schema, because the page's content security policy
 * forbids generated code.
 */
export function createArgumentCheck(schema: Record<string, unknown>): (text: string) => string[] {
  const validator = new Validator(schema, '2020-12', false);
  return (text) => {
    let value: unknown;
    try {
      value = parseJsonWithDigits(text);
    } catch (error) {
      return [`This is not JSON yet: ${error instanceof Error ? error.message : String(error)}`];
    }
    if (!isRecord(value)) return ['Arguments are an object: { … }.'];
    const { valid, errors } = validator.validate(value);
    if (valid) return [];
    const causes = errors.filter(({ keyword }) => !wrapperKeywords.has(keyword));
    const problems = causes.filter((error) => !isEcho(error, causes)).map(problemText);
    return [...new Set(problems)].slice(0, maxProblems);
  };
}

/** The validator reports an invalid property a second time, as one that is not allowed. */
function isEcho({ keyword, instanceLocation }: OutputUnit, errors: OutputUnit[]): boolean {
  if (keyword !== 'false') return false;
  return errors.some(
    (other) => other.keyword !== 'false' && `${other.instanceLocation}/`.startsWith(`${instanceLocation}/`),
  );
}

const problemText = ({ keyword, instanceLocation, error }: OutputUnit) =>
  `${pathPrefix(instanceLocation)}${keyword === 'false' ? 'Unknown argument.' : error}`;

/** `#/a/0` → `a.0: `. */
function pathPrefix(pointer: string): string {
  const path = pointer.replace(/^#\/?/, '').replaceAll('/', '.');
  return path === '' ? '' : `${path}: `;
}
