import type { MachineData } from '@docwright/contract';
import { DomUtils, type parseDocument } from 'htmlparser2';

type Node = ReturnType<typeof parseDocument>['children'][number];
export type Element = Parameters<typeof DomUtils.getAttributeValue>[0];

/** More lines, taxes or notes than these are counted and not listed. */
const maxLines = 500;
/** The record of a document has room for few megabytes. */
const maxLineCharacters = 1_000_000;
export const maxItems = 100;
/** A file chooses the length of its texts. */
const maxTextLength = 2_000;

/** The data of an invoice with the profile that it names for itself. */
export function invoice(profile: string | undefined, data: Record<string, unknown>): MachineData {
  return {
    kind: 'invoice_xml',
    ...(profile !== undefined && { profile }),
    data: withoutEmpty(data),
  };
}

/** `20260314` as a date; any other text as it is. */
export function dateOf(text: string | undefined): string | undefined {
  return text?.replace(/^(\d{4})(\d\d)(\d\d)(?:\d{4})?$/, '$1-$2-$3');
}

/** The text of the first element at a path of local names, of which `|` separates alternatives. Undefined if it has none. */
export function textAt(from: Element, ...path: readonly string[]): string | undefined {
  const [found] = listItems(from, 1, ...path);
  const text = found && DomUtils.textContent(found).trim().replaceAll(/\s+/g, ' ').slice(0, maxTextLength);
  return text || undefined;
}

/** The unit of a quantity. */
export function unitAt(from: Element, ...path: readonly string[]): string | undefined {
  const [found] = listItems(from, 1, ...path);
  return found?.attribs['unitCode'] || undefined;
}

/** The texts at a path. */
export function textsAt(from: Element, ...path: readonly string[]): string[] {
  return listItems(from, maxItems, ...path).flatMap((each) => textAt(each) ?? []);
}

/** The elements at a path, at most `limit`. */
export function listItems(from: Element, limit: number, ...path: readonly string[]): Element[] {
  let found = [from];
  for (const step of path) {
    const names = step.split('|');
    found = found.flatMap(({ children }) => children.filter((node): node is Element => isNamed(node, names)));
  }
  return found.slice(0, limit);
}

function isNamed(node: Node, names: readonly string[]): boolean {
  return 'attribs' in node && names.includes(node.name.slice(node.name.indexOf(':') + 1));
}

/** Without absent values, empty lists and empty objects. */
export function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0),
    ),
  );
}

/** The lines as `read` makes them, up to the limits, and the number of those beyond. */
export function linesOf(all: readonly Element[], read: (line: Element) => Record<string, unknown>) {
  const lines: Record<string, unknown>[] = [];
  let room = maxLineCharacters;
  for (const line of all.slice(0, maxLines)) {
    const next = read(line);
    room -= JSON.stringify(next).length;
    if (room < 0) break;
    lines.push(next);
  }
  return { lines, more_lines: all.length > lines.length ? all.length - lines.length : undefined };
}
