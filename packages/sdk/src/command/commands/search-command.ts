import type { SearchHit } from '@docwright/contract';
import type { Command } from 'commander';
import { action, countOption, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { resolveCollection } from '../context/names.ts';
import type { Output } from '../terminal/output.ts';
import { printableLine, truncateToWidth } from '../terminal/terminal-text.ts';

const maxShown = 300;

export function addSearchCommand(program: Command, host: Host): void {
  program
    .command('search')
    .argument('<collection>', 'id or name')
    .argument('<query...>', 'words, "a phrase", -without')
    .summary('search a collection')
    .description(
      'Finds passages of documents, the best first, each with its page and a link. Words are alternatives. A phrase in quotation marks is required, and a word after a minus is excluded (write -- before such a query).',
    )
    .option('--limit <n>', 'maximum number of passages (10)', countOption)
    .action(action<[string, string[]], { limit?: number }>(host, search));
}

async function search(
  context: CommandContext,
  [wanted, words]: [string, string[]],
  { limit = 10 }: { limit?: number },
): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const id = await resolveCollection(client, wanted, signal);
  const query = words.join(' ');
  const answer = await client.collections.search(id, { query, top_k: limit }, { signal });
  output.data(answer);
  for (const [at, hit] of answer.results.entries()) {
    const heading = hit.heading === undefined ? '' : ` — ${printableLine(hit.heading)}`;
    const page = hit.page_num === null ? '' : `, page ${hit.page_num}`;
    output.print(`${at + 1}  ${output.style('bold', printableLine(hit.document_name))}${page}${heading}`);
    output.print(`   ${excerptOf(hit, output)}`);
    output.print(`   ${output.style('dim', linkTo(client.baseUrl, id, query, hit))}`);
  }
  if (answer.results.length === 0) output.note('Nothing found.');
}

/** A line of the hit with the matches marked. */
function excerptOf({ text, matches }: SearchHit, output: Output): string {
  const [first] = matches;
  const from = first === undefined || first.start < maxShown / 2 ? 0 : first.start - maxShown / 3;
  const parts: string[] = [];
  let written = from;
  for (const { start, end } of matches) {
    if (start < written || end > from + maxShown) continue;
    parts.push(cleaned(text.slice(written, start)), output.style('bold', cleaned(text.slice(start, end))));
    written = end;
  }
  parts.push(truncateToWidth(cleaned(text.slice(written, from + maxShown)), maxShown));
  const isCut = from + maxShown < text.length;
  return `${from > 0 ? '…' : ''}${parts.join('').trim()}${isCut ? '…' : ''}`;
}

/** Converts a part of a text to one line. Spaces at its ends remain, because they separate it from the other parts. */
function cleaned(text: string): string {
  const inner = printableLine(text);
  return `${/^\s/u.test(text) ? ' ' : ''}${inner}${inner !== '' && /\s$/u.test(text) ? ' ' : ''}`;
}

/** The web app's address of the document with the hit marked on its page. */
function linkTo(
  baseUrl: string,
  collection: string,
  q: string,
  { document_id, page_num, start, end }: SearchHit,
): string {
  const place = page_num === null ? {} : { page: String(page_num), start: String(start), end: String(end) };
  return `${baseUrl}/documents/${document_id}?${new URLSearchParams({ ...place, collection, q }).toString()}`;
}
