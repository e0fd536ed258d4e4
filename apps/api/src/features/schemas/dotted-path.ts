/** Joins property names and indexes to the path that errors, grounding and edits use: `line_items.0.amount`. */
export function joinPath(parent: string, segment: string | number): string {
  return parent === '' ? String(segment) : `${parent}.${segment}`;
}

/** A JSON pointer such as `/line_items/0/amount` as a dotted path. */
export function pathOfPointer(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}
