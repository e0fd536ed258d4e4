/** Joins a path of property names and indexes as errors, grounding and edits spell it: `line_items.0.amount`. */
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
