import type { UnreadPart } from '@docwright/contract';
import { defuseName } from './document-block.ts';

/** More parts are counted. */
const maxLines = 8;
const maxLength = 200;

/**
 * What of a document could not be read, a line each, for a model. Names of files are data.
 *
 * @example
 * import { unreadLines } from '@docwright/agent-core';
 *
 * unreadLines([{ kind: 'picture', page_num: 2, message: 'No text was found in this picture.' }]);
 * // ['page 2: No text was found in this picture.']
 */
export function unreadLines(parts: readonly UnreadPart[] = []): string[] {
  const lines = parts.slice(0, maxLines).map(({ page_num, box, name, message }) => {
    const page = page_num === undefined ? '' : `page ${page_num}${box ? `, ${placeOf(box)}` : ''}: `;
    const named = name === undefined ? '' : `"${defuseName(name).slice(0, maxLength)}": `;
    return `${page}${named}${defuseName(message).slice(0, maxLength)}`;
  });
  return parts.length > maxLines ? [...lines, `${parts.length - maxLines} more`] : lines;
}

/** In points, as words have their boxes. */
function placeOf({ x0, y0, x1, y1 }: NonNullable<UnreadPart['box']>): string {
  const [left, top, right, bottom] = [x0, y0, x1, y1].map(Math.round);
  return `from (${left}, ${top}) to (${right}, ${bottom}) in points`;
}
