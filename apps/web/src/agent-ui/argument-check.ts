import { Validator, type OutputUnit } from '@cfworker/json-schema';
import { isRecord } from '../shared/http/json-value.ts';

/** Keywords that only repeat that something below them does not fit. */
const wrapping = new Set(['properties', 'items', 'prefixItems', '$ref', 'allOf', 'additionalProperties']);
const maxProblems = 5;

/**
 * Checks the text of a call's arguments against its tool's schema (JSON Schema 2020-12): what is wrong, in words; empty
 * where it fits. Interpreted, since the page's content security policy forbids code made at run time.
 */
export function createArgumentCheck(schema: Record<string, unknown>): (text: string) => string[] {
  const validator = new Validator(schema, '2020-12', false);
  return (text) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return [`This is not JSON yet: ${error instanceof Error ? error.message : String(error)}`];
    }
    if (!isRecord(value)) return ['Arguments are an object: { … }.'];
    const { valid, errors } = validator.validate(value);
    if (valid) return [];
    const telling = errors.filter(({ keyword }) => !wrapping.has(keyword));
    const problems = telling.filter((error) => !isEcho(error, telling)).map(problemText);
    return [...new Set(problems)].slice(0, maxProblems);
  };
}

/** A property that does not fit its schema is reported as one that may not be there, too. */
function isEcho({ keyword, instanceLocation }: OutputUnit, errors: OutputUnit[]): boolean {
  if (keyword !== 'false') return false;
  return errors.some(
    (other) => other.keyword !== 'false' && `${other.instanceLocation}/`.startsWith(`${instanceLocation}/`),
  );
}

const problemText = ({ keyword, instanceLocation, error }: OutputUnit) =>
  `${place(instanceLocation)}${keyword === 'false' ? 'Unknown argument.' : error}`;

/** `#/a/0` → `a.0: `. */
function place(pointer: string): string {
  const path = pointer.replace(/^#\/?/, '').replaceAll('/', '.');
  return path === '' ? '' : `${path}: `;
}
