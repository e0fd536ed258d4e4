import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';

/** What does not fit, and where: a dotted path, empty for the whole. */
interface Misfit {
  path: string;
  message: string;
}

/** A request of which a part does not fit its schema. */
export class UnfitRequest extends Error {
  readonly misfits: Misfit[];
  /** Set by the framework. */
  readonly validationContext?: 'body' | 'headers' | 'params' | 'querystring';

  constructor(misfits: Misfit[]) {
    super('A request does not fit its schema.');
    this.name = 'UnfitRequest';
    this.misfits = misfits;
  }
}

/** Enough to correct a request; a list of ten thousand bad entries is not reported entry by entry. */
const maxMisfits = 20;

export const validateRequest: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data: unknown) => {
    const { success, data: value, error } = schema.safeParse(data, { error: messageOf });
    if (success) return { value };
    const second = schema.safeParse(withoutNulls(data, error.issues));
    if (second.success) return { value: second.data };
    return { error: new UnfitRequest(error.issues.flatMap((issue) => misfitsOf(issue)).slice(0, maxMisfits)) };
  };

type Issue = z.core.$ZodIssue;

/**
 * The data without the fields that are null and may not be. Clients made by generators send null for what is left out; a
 * field that is needed is then missing.
 */
function withoutNulls(data: unknown, issues: readonly Issue[]): unknown {
  const copy: unknown = isObject(data) ? structuredClone(data) : data;
  for (const { path } of issues) {
    const name = path.at(-1);
    const parent = path.slice(0, -1).reduce<unknown>((value, key) => (isNode(value) ? value[key] : undefined), copy);
    if (name !== undefined && isObject(parent) && parent[name] === null) delete parent[name];
  }
  return copy;
}

type Node = Record<PropertyKey, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const isObject = (value: unknown): value is Node => isNode(value) && !Array.isArray(value);

/** Of a value that may have several forms, what keeps it from the form that it is nearest to. */
function misfitsOf(issue: Issue, above: PropertyKey[] = []): Misfit[] {
  const path = [...above, ...issue.path];
  const nearest = issue.code === 'invalid_union' ? nearestForm(issue.errors) : undefined;
  if (nearest !== undefined) return nearest.flatMap((each) => misfitsOf(each, path));
  return [{ path: shortened(path.map(String).join('.'), 200), message: sentence(shortened(issue.message, 500)) }];
}

/** Undefined where it is of another type than all of them. */
function nearestForm(forms: readonly Issue[][]): Issue[] | undefined {
  const ofItsType = forms.filter(
    (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  return ofItsType.toSorted((one, other) => one.length - other.length)[0];
}

/** In the words of who writes JSON: zod's own speak of JavaScript (`received undefined`, `received NaN`). */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code)) {
    return 'It is missing.';
  }
  switch (issue.code) {
    case 'invalid_type':
      return `It takes ${typeNames[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return takesOneOf(issue.values);
    case 'too_big':
      return issue.origin === 'date' ? undefined : limited(issue.origin, 'most', issue.maximum, issue.inclusive);
    case 'too_small':
      return issue.origin === 'date' ? undefined : limited(issue.origin, 'least', issue.minimum, issue.inclusive);
    case 'unrecognized_keys':
      return `It has no field ${issue.keys
        .slice(0, 3)
        .map((key) => JSON.stringify(shortened(key, 60)))
        .join(' or ')}.`;
    case 'invalid_union': {
      if (Array.isArray(issue['options'])) return takesOneOf(issue['options']);
      const expected = issue.errors.flatMap((issues) =>
        issues.flatMap((each) => ('expected' in each ? [each.expected] : [])),
      );
      return `It takes ${[...new Set(expected)].map((type) => typeNames[type] ?? type).join(' or ')}.`;
    }
    default:
      return undefined;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

const counted: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'entry',
  set: 'entry',
  map: 'entry',
  object: 'field',
  file: 'byte',
};

function limited(origin: string, side: 'most' | 'least', limit: number | bigint, inclusive = true): string {
  const unit = counted[origin];
  if (unit === undefined) {
    const beyond = side === 'most' ? 'less than' : 'more than';
    return `It takes ${inclusive ? `${limit} at ${side}` : `${beyond} ${limit}`}.`;
  }
  const units = limit === 1 ? unit : unit.replace(/y?$/u, (end) => (end === 'y' ? 'ies' : 's'));
  return `It takes ${limit} ${units} at ${side}.`;
}

function takesOneOf(values: readonly unknown[]): string {
  const told = values.slice(0, 30).map((value) => JSON.stringify(value));
  return `It takes ${told.length > 1 ? 'one of ' : ''}${told.join(', ')}.`;
}

function sentence(text: string): string {
  return /[.?!…]$/u.test(text) ? text : `${text}.`;
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
