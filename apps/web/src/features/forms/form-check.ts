import { Validator, type OutputUnit } from '@cfworker/json-schema';
import { textsOfRoundedNumbers } from '@docwright/contract';
import { isRecord } from '../../shared/http/json-value.ts';
import { formatAmount } from '../../shared/formats/locale.ts';
import type { JsonSchema } from '../../shared/values/field-shape.ts';

/** Messages by the dotted path of the field. */
export type FormProblems = Map<string, string>;

/** Keywords whose errors only repeat an error below them or in an alternative. */
const wrapperKeywords = new Set([
  'properties',
  'items',
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'additionalProperties',
  'if',
]);

/**
 * Checks a result against its schema as the server does (draft 7 with formatMessages). The schema is interpreted, since the
 * content security policy of the page forbids generated code.
 */
export function createFormCheck(schema: JsonSchema): (value: unknown) => FormProblems {
  const validator = new Validator(schema, '7', false);
  return (value) => {
    const problems: FormProblems = new Map();
    const { valid, errors } = validator.validate(value);
    if (valid) return problems;
    const specific = errors.filter(({ keyword }) => !wrapperKeywords.has(keyword));
    const digits = textsOfRoundedNumbers(value, '');
    // The server stores such a text as the number with all of its digits, where the schema wants one.
    const numbers = new Set(
      specific
        .filter((error) => wantsNumber(schema, error))
        .flatMap((error) => (digits.has(pathOf(error)) ? pathOf(error) : [])),
    );
    for (const error of specific.filter((each) => !isEcho(each, specific))) {
      if (error.keyword === 'type' && numbers.has(pathOf(error))) continue;
      const path = pathOf(error);
      const message = messageFor(error, keywordValue(schema, error.keywordLocation));
      // The null alternative of a nullable field has no message; the other alternative says what to enter.
      if (message !== undefined && !problems.has(path)) problems.set(path, message);
    }
    if (problems.size === 0 && numbers.size === 0)
      problems.set(pathOf(errors[0]!), 'This value is not valid for the schema.');
    return problems;
  };
}

/** Whether an error says that a value is no number. */
function wantsNumber(schema: JsonSchema, { keyword, keywordLocation }: OutputUnit): boolean {
  const types = keyword === 'type' ? [keywordValue(schema, keywordLocation)].flat() : [];
  return types.includes('number') || types.includes('integer');
}

/** The validator also reports an invalid property as one that is not allowed. */
function isEcho({ keyword, instanceLocation }: OutputUnit, errors: OutputUnit[]): boolean {
  return (
    keyword === 'false' &&
    errors.some((other) => other.keyword !== 'false' && `${other.instanceLocation}/`.startsWith(`${instanceLocation}/`))
  );
}

function pathOf({ instanceLocation, keyword, error }: OutputUnit): string {
  const missing = keyword === 'required' ? /"([^"]+)"/u.exec(error)?.[1] : undefined;
  return [...partsOf(instanceLocation), ...(missing === undefined ? [] : [missing])].join('.');
}

/** `#/a/0` → `a`, `0`. */
function partsOf(pointer: string): string[] {
  const parts = pointer.replace(/^#\/?/u, '').split('/').filter(Boolean);
  return parts.map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value of the schema keyword that an error names, following references. */
function keywordValue(schema: JsonSchema, location: string): unknown {
  let place: unknown = schema;
  for (const part of partsOf(location)) {
    if (Array.isArray(place)) place = place[Number(part)];
    else place = isRecord(place) ? place[part] : undefined;
    if (part === '$ref' && typeof place === 'string') place = keywordValue(schema, place);
  }
  return place;
}

const typeMessages: Record<string, string> = {
  number: `Enter a number, such as ${formatAmount(1234.5)}.`,
  integer: 'Enter a whole number.',
  string: 'Enter text.',
  boolean: 'Choose yes or no.',
  array: 'Enter a list.',
  object: 'Enter a group of fields.',
};

const formatMessages: Record<string, string> = {
  date: 'Enter a date such as 2026-01-31.',
  'date-time': 'Enter a time such as 2026-01-31T12:00:00Z.',
  time: 'Enter a time such as 12:00:00Z.',
  email: 'Enter an e-mail address.',
  uri: 'Enter an address such as https://example.org.',
};

function messageFor({ keyword, error }: OutputUnit, expected: unknown): string | undefined {
  const value =
    typeof expected === 'string' || typeof expected === 'number' ? String(expected) : JSON.stringify(expected);
  switch (keyword) {
    case 'type': {
      const type = [expected].flat().find((each) => each !== 'null');
      return typeof type === 'string' ? (typeMessages[type] ?? error) : undefined;
    }
    case 'enum':
      return 'Choose one of the allowed values.';
    case 'const':
      return `Must be ${value}.`;
    case 'format':
      return formatMessages[value] ?? `Must be a valid ${value}.`;
    case 'pattern':
      return `Must match ${value}.`;
    case 'minimum':
      return `Must be ${value} or more.`;
    case 'maximum':
      return `Must be ${value} or less.`;
    case 'exclusiveMinimum':
      return `Must be more than ${value}.`;
    case 'exclusiveMaximum':
      return `Must be less than ${value}.`;
    case 'multipleOf':
      return `Must be a multiple of ${value}.`;
    case 'minLength':
      return `Must have ${value} characters or more.`;
    case 'maxLength':
      return `Must have ${value} characters or fewer.`;
    case 'minItems':
      return `Must have ${value} rows or more.`;
    case 'maxItems':
      return `Must have ${value} rows or fewer.`;
    case 'uniqueItems':
      return 'Must not have the same row twice.';
    case 'required':
      return 'Is required but missing.';
    case 'false':
      return 'Is not a field of the schema.';
    default:
      return error;
  }
}
