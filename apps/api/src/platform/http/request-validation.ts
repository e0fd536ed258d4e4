import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';

/** An issue and its dotted path, empty for the whole. */
interface RequestIssue {
  path: string;
  message: string;
}

/** A request whose body, query, headers or path does not match its schema. */
export class InvalidRequest extends Error {
  readonly issues: RequestIssue[];
  /** Set by the framework. */
  readonly validationContext?: 'body' | 'headers' | 'params' | 'querystring';

  constructor(issues: RequestIssue[]) {
    super('A request does not fit its schema.');
    this.name = 'InvalidRequest';
    this.issues = issues;
  }
}

/** Enough to correct a request; thousands of invalid list entries are not reported one by one. */
const maxIssues = 20;

/** A larger body is validated up to its first issue only: thousands of issues take longer than the request is worth. */
const maxFullyValidated = 5_000;

export const validateRequest: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data: unknown) => {
    const options = { error: messageOf, abortEarly: isLargerThan(data, maxFullyValidated) };
    const result = schema.safeParse(data, options);
    if (result.success) return { value: result.data };
    const { issues } = result.error;
    const corrected = withoutNulls(data, issues);
    const retried = corrected === undefined ? undefined : schema.safeParse(corrected, options);
    if (retried?.success === true) return { value: retried.data };
    const reported: RequestIssue[] = [];
    for (const issue of issues) {
      if (reported.length >= maxIssues) break;
      reported.push(...issuesOf(issue));
    }
    return { error: new InvalidRequest(reported.slice(0, maxIssues)) };
  };

/** Whether all lists and objects of a value together have more members than `max`. */
function isLargerThan(value: unknown, max: number): boolean {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (!isNode(next)) continue;
    const members = Object.values(next);
    count += members.length;
    if (count > max) return true;
    for (const member of members) if (isNode(member)) open.push(member);
  }
  return false;
}

type Issue = z.core.$ZodIssue;

/**
 * The data without null in non-nullable fields; undefined if none exists. Generated clients send null for absent
 * optional fields; a required field is then reported as missing.
 */
function withoutNulls(data: unknown, issues: readonly Issue[]): unknown {
  const nulls = issues.filter(({ path }) => {
    const parent = valueAt(data, path.slice(0, -1));
    return path.length > 0 && isObject(parent) && parent[path.at(-1)!] === null;
  });
  if (nulls.length === 0) return undefined;
  const copy: unknown = structuredClone(data);
  for (const { path } of nulls) delete (valueAt(copy, path.slice(0, -1)) as Node)[path.at(-1)!];
  return copy;
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (isNode(value) ? value[key] : undefined), data);
}

type Node = Record<PropertyKey, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const isObject = (value: unknown): value is Node => isNode(value) && !Array.isArray(value);

/** The issues of a value; for a union, those of the nearest variant. */
function issuesOf(issue: Issue, parentPath: PropertyKey[] = []): RequestIssue[] {
  const path = [...parentPath, ...issue.path];
  const nearest = issue.code === 'invalid_union' ? nearestVariant(issue.errors) : undefined;
  if (nearest !== undefined) return nearest.flatMap((inner) => issuesOf(inner, path));
  return [{ path: shortened(path.map(String).join('.'), 200), message: sentence(shortened(issue.message, 500)) }];
}

/** Undefined if the value has another type than all variants. */
function nearestVariant(variants: readonly Issue[][]): Issue[] | undefined {
  const sameType = variants.filter(
    (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  return sameType.toSorted((one, other) => one.length - other.length)[0];
}

/** Messages in terms of JSON: zod's own mention JavaScript (`received undefined`, `received NaN`). */
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
        issues.flatMap((inner) => ('expected' in inner ? [inner.expected] : [])),
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
  const shown = values.slice(0, 30).map((value) => JSON.stringify(value));
  return `It takes ${shown.length > 1 ? 'one of ' : ''}${shown.join(', ')}.`;
}

function sentence(text: string): string {
  return /[.?!…]$/u.test(text) ? text : `${text}.`;
}

function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
