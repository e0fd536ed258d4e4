import type { SplitBody } from '@docwright/contract';
import type { Command } from 'commander';
import { action, listOption, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { UsageError } from '../context/exit-codes.ts';
import { resolveDocument, resolveTags } from '../context/names.ts';
import { printableLine } from '../terminal/terminal-text.ts';

interface SplitOptions {
  part?: string[];
  tag?: string[];
  apply?: true;
}

type Part = SplitBody['parts'][number];

export function addSplitCommand(program: Command, host: Host): void {
  program
    .command('split')
    .argument('<document>', 'id or name')
    .summary('split a PDF into several documents')
    .description(
      'Shows where the documents of a PDF begin, and creates them with --apply. The original is kept, and text is not recognised again.',
    )
    .option('--part <name=pages>', 'replaces the proposed parts, such as "March=1-3,7"; may be repeated', listOption)
    .option('--tag <name>', 'a tag for each new document; may be repeated', listOption)
    .option('--apply', 'create the documents')
    .action(action<[string], SplitOptions>(host, split));
}

async function split(context: CommandContext, [wanted]: [string], { part, tag, apply }: SplitOptions): Promise<void> {
  const { output, signal } = context;
  const given = part?.map(partOf);
  const client = await signedIn(context);
  const { id } = await resolveDocument(client, wanted, signal);
  const proposal = given === undefined ? await client.documents.proposeSplit(id, { signal }) : undefined;
  const parts: Part[] = given ?? proposal!.parts.map(({ name, pages }) => ({ name, pages }));
  if (apply !== true) {
    output.data(proposal ?? { parts });
    output.table(
      ['pages', 'name', 'probability', 'reason'],
      parts.map(({ name, pages }, index) => {
        const { probability, reason = '' } = proposal?.parts[index] ?? {};
        const shown = probability === undefined ? '' : `${Math.round(probability * 100)} %`;
        return [pagesText(pages), printableLine(name), shown, printableLine(reason)];
      }),
    );
    output.note('No documents were created. Add --apply to create them.');
    return;
  }
  const tag_ids = tag && (await resolveTags(client, tag, signal));
  const answer = await client.documents.split(
    id,
    parts.map((one) => ({ ...one, ...(tag_ids && { tag_ids }) })),
    { signal },
  );
  output.data(answer);
  output.table(
    ['id', 'name', 'pages'],
    answer.documents.map((document) => [document.id, document.document_name, String(document.page_count ?? '')]),
  );
  if (answer.pages_in_none.length > 0) output.note(`Pages in no part: ${answer.pages_in_none.join(', ')}.`);
  if (answer.pages_in_several.length > 0) output.note(`Pages in several parts: ${answer.pages_in_several.join(', ')}.`);
}

/** Parses a part such as `March=1-3,7`: the name `March`, and the ranges of pages 1 to 3 and 7 to 7. */
export function partOf(text: string): Part {
  const [, name = '', ranges = ''] = /^(.+)=([\d,\s-]+)$/u.exec(text) ?? [];
  const pages = ranges.split(',').map((range): [number, number] => {
    const [, from = '', to = from] = /^\s*([1-9]\d{0,5})(?:\s*-\s*([1-9]\d{0,5}))?\s*$/u.exec(range) ?? [];
    if (from === '') {
      throw new UsageError(`--part takes a name and pages, such as "March=1-3,7", not "${printableLine(text)}".`);
    }
    return [Number(from), Number(to)];
  });
  return { name: name.trim(), pages };
}

function pagesText(pages: Part['pages']): string {
  return pages.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
