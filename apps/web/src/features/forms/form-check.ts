import { Validator, type OutputUnit } from '@cfworker/json-schema';
import { isRecord } from '../../shared/http/json-value.ts';
import { formatAmount } from '../../shared/formats/locale.ts';
import type { JsonSchema } from '../../shared/values/field-shape.ts';

/** What is wrong, by the dotted path of the field. */
export type FormProblems = Map<string, string>;

/** Keywords that only repeat that something below them, or one of their alternatives, does not fit. */
const wrapping = new Set(['properties', 'items', '$ref', 'allOf', 'anyOf', 'oneOf', 'additionalProperties', 'if']);

/**
 * Checks a result against its schema as the server does (draft 7 with formats). Interpreted, since the page's content
 * security policy forbids code made at run time.
 */
export function createFormCheck(schema: JsonSchema): (value: unknown) => FormProblems {
  const validator = new Validator(schema, '7', false);
  return (value) => {
    const problems: FormProblems = new Map();
    const { valid, errors } = validator.validate(value);
    if (valid) return problems;
    const telling = errors.filter(({ keyword }) => !wrapping.has(keyword));
    for (const error of telling.filter((each) => !isEcho(each, telling))) {
      const path = pathOf(error);
      const message = words(error, keywordValue(schema, error.keywordLocation));
      // Of the alternatives of a field that may be empty, the other one says what to write.
      if (message !== undefined && !problems.has(path)) problems.set(path, message);
    }
    if (problems.size === 0) problems.set(pathOf(errors[0]!), 'This value is not valid for the schema.');
    return problems;
  };
}

/** A property that does not fit its schema is reported as one that may not be there, too. */
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

/** What the schema says at the place that an error names; references on the way are followed. */
function keywordValue(schema: JsonSchema, location: string): unknown {
  let place: unknown = schema;
  for (const part of partsOf(location)) {
    if (Array.isArray(place)) place = place[Number(part)];
    else place = isRecord(place) ? place[part] : undefined;
    if (part === '$ref' && typeof place === 'string') place = keywordValue(schema, place);
  }
  return place;
}

const kinds: Record<string, string> = {
  number: `Enter a number, such as ${formatAmount(1234.5)}.`,
  integer: 'Enter a whole number.',
  string: 'Enter a text.',
  boolean: 'Choose yes or no.',
  array: 'Enter a list.',
  object: 'Enter a group of fields.',
};

const formats: Record<string, string> = {
  date: 'Enter a date such as 2026-01-31.',
  'date-time': 'Enter a time such as 2026-01-31T12:00:00Z.',
  time: 'Enter a time such as 12:00:00Z.',
  email: 'Enter an e-mail address.',
  uri: 'Enter an address such as https://example.org.',
};

function words({ keyword, error }: OutputUnit, wanted: unknown): string | undefined {
  const value = typeof wanted === 'string' || typeof wanted === 'number' ? String(wanted) : JSON.stringify(wanted);
  switch (keyword) {
    case 'type': {
      const type = [wanted].flat().find((each) => each !== 'null');
      return typeof type === 'string' ? (kinds[type] ?? error) : undefined;
    }
    case 'enum':
      return 'Choose one of the allowed values.';
    case 'const':
      return `Must be ${value}.`;
    case 'format':
      return formats[value] ?? `Must be a valid ${value}.`;
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
