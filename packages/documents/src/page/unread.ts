import type { ReadBy, UnreadPart } from '@docwright/contract';

export type { ReadBy, UnreadPart };

/** More parts than this are counted and not listed. */
const maxUnread = 50;
/** Names and messages are cut at this length, because a file chooses its names. */
const maxNameCharacters = 200;

/**
 * The unread parts of a page or a document in a list of bounded length: at most 50, then one that counts the rest.
 *
 * @param parts In the order of the document. A last part that counts others, from an earlier call, is counted on.
 *
 * @example
 * ```ts
 * import { listUnread } from '@docwright/documents';
 *
 * const parts = listUnread([{ kind: 'attachment', name: 'plan.dwg', message: 'The attachment was not read.' }]);
 * console.log(parts.length); // 1
 * ```
 */
export function listUnread(parts: readonly UnreadPart[]): UnreadPart[] {
  const named = parts.filter((part) => countOf(part) === 0);
  const listed = named.slice(0, maxUnread).map(({ name, ...part }): UnreadPart => ({
    ...part,
    ...(name === undefined ? {} : { name: name.slice(0, maxNameCharacters) }),
  }));
  const more = parts.reduce((sum, part) => sum + countOf(part), named.length - listed.length);
  return more === 0 ? listed : [...listed, { kind: 'other', message: `${more}${countingMessage}` }];
}

const countingMessage = ' more parts were not read.';

/** The number of parts that a counting part stands for; 0 for all other parts. */
function countOf({ kind, message }: UnreadPart): number {
  return kind === 'other' && message.endsWith(countingMessage) ? Number.parseInt(message, 10) || 0 : 0;
}
