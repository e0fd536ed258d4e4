import type { SplitBody } from '@docwright/contract';
import type { Command } from 'commander';
import { action, listOption, type Host } from '../action.ts';
import { signedIn, type CommandContext } from '../context.ts';
import { UsageError } from '../exit-codes.ts';
import { resolveDocument, resolveTags } from '../names.ts';
import { printableLine } from '../terminal-text.ts';

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
      'Shows where the documents of a PDF begin, and creates them with --apply. The original stays, and text is not recognised again.',
    )
    .option('--part <name=pages>', 'in place of what is proposed, such as "March=1-3,7"; may be repeated', listOption)
    .option('--tag <name>', 'for each new document; may be repeated', listOption)
    .option('--apply', 'make the documents')
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
    output.note('Nothing was made. Add --apply to make these documents.');
    return;
  }
  const tag_ids = tag && (await resolveTags(client, tag, signal));
  const made = await client.documents.split(
    id,
    parts.map((one) => ({ ...one, ...(tag_ids && { tag_ids }) })),
    { signal },
  );
  output.data(made);
  output.table(
    ['id', 'name', 'pages'],
    made.documents.map((document) => [document.id, document.document_name, String(document.page_count ?? '')]),
  );
  if (made.pages_in_none.length > 0) output.note(`Pages in no part: ${made.pages_in_none.join(', ')}.`);
  if (made.pages_in_several.length > 0) output.note(`Pages in several parts: ${made.pages_in_several.join(', ')}.`);
}

/** Parses a part such as `March=1-3,7`: the name `March`, and the ranges of pages 1 to 3 and 7 to 7. */
export function partOf(text: string): Part {
  const [, name = '', ranges = ''] = /^(.+)=([\d,\s-]+)$/u.exec(text) ?? [];
  const pages = ranges.split(',').map((range): [number, number] => {
    const [, from = '', to = from] = /^\s*([1-9]\d{0,5})(?:\s*-\s*([1-9]\d{0,5}))?\s*$/u.exec(range) ?? [];
    if (from === '') {
      throw new UsageError(`--part takes a name and pages, such as "March=1-3,7", and not "${printableLine(text)}".`);
    }
    return [Number(from), Number(to)];
  });
  return { name: name.trim(), pages };
}

function pagesText(pages: Part['pages']): string {
  return pages.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
