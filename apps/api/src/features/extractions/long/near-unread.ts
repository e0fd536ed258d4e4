import type { PageText } from '@docwright/agent-core';
import type { ResponseFormat } from '@docwright/contract';
import { pagesText, type ResultIssue } from '@docwright/documents/long';

type Node = Record<string, unknown>;

const maxIssues = 20;
const maxPages = 100;

/**
 * An issue for each required field without a value, if a page was read in part: the value can be where nothing was
 * read. A field is required if the schema requires it and does not allow null.
 */
export function issuesNearUnread(
  format: ResponseFormat | undefined,
  result: unknown,
  pages: readonly Pick<PageText, 'page_num' | 'unread'>[],
): ResultIssue[] {
  const partly = pages.filter(({ unread = [] }) => unread.length > 0).map(({ page_num }) => page_num);
  if (format === undefined || partly.length === 0) return [];
  return emptyFields(format.json_schema.schema, result, '')
    .slice(0, maxIssues)
    .map((path) => ({
      code: 'near_unread',
      path,
      pages: partly.slice(0, maxPages),
      message: `The required ${path} has no value, and a part of ${pagesText(partly, true)} could not be read.`,
    }));
}

/** Paths of required fields without a value. Rows of lists are not searched: a row that was not read has no path. */
function emptyFields(schema: Node, value: unknown, path: string): string[] {
  const { properties, required } = schema;
  if (!isNode(properties)) return [];
  const names = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isNode(property)) return [];
    const at = path === '' ? name : `${path}.${name}`;
    const inner = isNode(value) ? value[name] : undefined;
    const isEmpty =
      inner === undefined || inner === null || inner === '' || (Array.isArray(inner) && inner.length === 0);
    if (!isEmpty) return emptyFields(property, inner, at);
    return names.has(name) && !allowsNull(property) ? [at] : [];
  });
}

function allowsNull(schema: Node): boolean {
  const variants = [schema['anyOf'], schema['oneOf']].filter(Array.isArray).flat();
  return [schema['type']].flat().includes('null') || variants.some((variant) => isNode(variant) && allowsNull(variant));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
