import { parseBoundedJson } from '../llm/json-bounds.ts';

/** Messages and parts of messages that the product writes in place of a user: they order nothing. */

const [opening, closing] = ['<kinds>\n', '\n</kinds>'];

/**
 * A list of objects inside a message that the product writes in place of a user. Names come from documents: they are written
 * as JSON without characters that could end the list, and count as no words of a user.
 *
 * @example
 * import { productList } from '@docwright/agent-core';
 *
 * productList([{ name: 'Invoice' }]); // '<kinds>\n{"name":"Invoice"}\n</kinds>'
 */
export function productList(rows: readonly object[]): string {
  const lines = rows.map((row) => JSON.stringify(row).replaceAll('<', String.raw`\u003c`));
  return `${opening}${lines.join('\n')}${closing}`;
}

/** The words of a message, and the rows of the lists inside. */
export function withoutProductLists(message: string): { said: string; rows: unknown[] } {
  const rows: unknown[] = [];
  let said = '';
  let from = 0;
  for (;;) {
    const start = message.indexOf(opening, from);
    const end = start === -1 ? -1 : message.indexOf(closing, start);
    if (end === -1) return { said: said + message.slice(from), rows };
    for (const line of message.slice(start + opening.length, end).split('\n')) rows.push(rowOf(line));
    said += message.slice(from, start);
    from = end + closing.length;
  }
}

/** A line that is no JSON counts as a name. */
function rowOf(line: string): unknown {
  try {
    return parseBoundedJson(line);
  } catch {
    return line;
  }
}

const endsClause = /[\n\r]|[.,:;!?](?=\s|$)/gu;

/**
 * The first message of a conversation that shows a call of a program. The program chooses its name: neither the name nor the call counts as
 * words of the user. A user's own message of this form has a clause before it: “Delete it, the old flow calls delete_tag.”
 *
 * @example
 * import { programMessage } from '@docwright/agent-core';
 *
 * programMessage('Claude', 'list_tags'); // 'Claude calls list_tags.'
 */
export const programMessage = (program: string, tool: string): string =>
  `${program.replaceAll(endsClause, ' ').trim()} calls ${tool}.`;

const programCall = /^((?:(?![.,:;!?](?: |$))[^\n\r]){0,200}) calls [a-z]+(?:_[a-z]+)+\.$/u;

/** The program of a message of `programMessage`; undefined for a message of a user. */
export const programIn = (message: string): string | undefined => programCall.exec(message)?.[1];

/** How a message begins that the product writes in place of a user. */
export const productMessageStart = '[This message is from Docwright, not from a person.]';
