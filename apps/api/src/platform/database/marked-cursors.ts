import { createHash } from 'node:crypto';
import { cursorNotValid } from './page.ts';

/** So many characters at the start of a cursor are the mark. */
const markLength = 16;

/**
 * The mark of a list with one filter. Cursors that leave the product carry it, so that no list goes on with the cursor of
 * another list or filter; the lists themselves know only the order.
 */
export const cursorMark = (list: string, filter: object): string => {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const text = JSON.stringify([list, given.toSorted(([one], [other]) => (one < other ? -1 : 1))]);
  return createHash('sha256').update(text).digest('base64url').slice(0, markLength);
};

/** The cursor without its mark. Throws `cursor_not_valid` for another mark. */
export function withoutMark(mark: string, cursor: string): string {
  if (!cursor.startsWith(mark)) throw cursorNotValid();
  return cursor.slice(markLength);
}

/** The answer of a list with the mark on its `next_cursor`. */
export function withMark<Answer extends { next_cursor?: string | undefined }>(mark: string, answer: Answer): Answer {
  return answer.next_cursor === undefined ? answer : { ...answer, next_cursor: `${mark}${answer.next_cursor}` };
}

/** A list for agents, which asks for its pages by `skip`, or by the marked cursor of the page before. */
export function markedList<
  Query extends { skip: number; limit: number; cursor?: string | undefined },
  Answer extends { next_cursor?: string | undefined },
>(name: string, list: (query: Query) => Promise<Answer>): (query: Query) => Promise<Answer> {
  return async (query) => {
    const { skip: _, limit: __, cursor, ...filter } = query;
    const mark = cursorMark(name, filter);
    return withMark(mark, await list(cursor === undefined ? query : { ...query, cursor: withoutMark(mark, cursor) }));
  };
}
