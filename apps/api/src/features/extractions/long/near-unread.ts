import type { ResponseFormat, UnreadPart } from '@docwright/contract';
import { pagesText, type ResultIssue } from '@docwright/documents/long';

type Node = Record<string, unknown>;

const maxIssues = 20;
const maxPages = 100;

/** Without a page, such a part is content of the document itself, which can be on any page. Attachments are documents of their own. */
const kindsOfContent = new Set<UnreadPart['kind']>(['dynamic_form', 'portfolio', 'encrypted_part', 'codec']);

/**
 * The numbers of the pages that were read in part: all of them if content that is on no page was not read.
 *
 * @param unread What of the whole document was not read.
 */
export function pagesReadInPart(
  pages: readonly { page_num: number; unread?: readonly UnreadPart[] | undefined }[],
  unread: readonly UnreadPart[] = [],
): number[] {
  const isAnywhere = unread.some(({ kind, page_num }) => page_num === undefined && kindsOfContent.has(kind));
  return pages.filter((page) => isAnywhere || (page.unread?.length ?? 0) > 0).map(({ page_num }) => page_num);
}

/**
 * An issue for each required field without a value, if a page was read in part: the value can be where nothing was
 * read. A field is required if the schema requires it and does not allow null.
 *
 * @param partly The numbers of the pages that were read in part.
 */
export function issuesNearUnread(
  format: ResponseFormat | undefined,
  result: unknown,
  partly: readonly number[],
): ResultIssue[] {
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

/** Paths of required fields without a value, those of the rows of lists included. */
function emptyFields(schema: Node, value: unknown, path: string): string[] {
  const { items } = schema;
  if (Array.isArray(value)) {
    const found: string[] = [];
    for (let row = 0; row < value.length && isNode(items) && found.length < maxIssues; row += 1) {
      found.push(...emptyFields(items, value[row], `${path}.${row}`));
    }
    return found;
  }
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
