import type { Command } from 'commander';
import { action, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { exitCodes, UsageError, type ExitCode } from '../context/exit-codes.ts';
import { resolveDocument } from '../context/names.ts';
import { printable, printableJson } from '../terminal/terminal-text.ts';

interface ExtractionOptions {
  prompt?: string;
  run?: true;
  csv?: true;
}

export function addExtractionCommand(program: Command, host: Host): void {
  program
    .command('extraction')
    .argument('<document>', 'id or name')
    .summary('print the result of an extraction')
    .description(
      'Prints the result that changed last, as JSON. --json prints the whole record with the places on the pages. Exits with 8 if the result is incomplete.',
    )
    .option('--prompt <prompt_revid>', 'the result of this prompt revision')
    .option('--run', 'run the extraction first')
    .option('--csv', 'print one line for each value: path, value, page, match, quote')
    .action(action<[string], ExtractionOptions>(host, showExtraction));
}

async function showExtraction(
  context: CommandContext,
  [wanted]: [string],
  { prompt, run, csv }: ExtractionOptions,
): Promise<ExitCode> {
  const { output, signal } = context;
  if (csv === true && output.json) throw new UsageError('Use either --csv or --json, not both.');
  const client = await signedIn(context);
  const { id } = await resolveDocument(client, wanted, signal);
  // A list of results does not say which values are to check.
  const read = async () => {
    const revision = prompt ?? (await client.extractions.latest(id, { signal })).prompt_revid;
    return await client.extractions.get(id, revision, { signal });
  };
  if (run === true) {
    // If the estimate fails, the extraction below reports the reason.
    const estimate = await client.extractions.estimate(id, prompt, { signal }).catch(() => undefined);
    if (estimate !== undefined && estimate.requests > 1) {
      const { pages, requests, spu_estimated } = estimate;
      output.note(`Reading ${pages} pages in ${requests} requests, about ${spu_estimated} SPU.`);
    }
  }
  const extraction = run === true ? await client.extractions.run(id, prompt, { signal }) : await read();
  output.data(extraction);
  // The contract loads zod, which no other command needs at its start.
  const { extractionCsv, withExactNumbers } = await import('@docwright/contract');
  if (csv === true) {
    for (const line of extractionCsv(extraction, printable)) output.print(line);
  } else {
    output.print(printableJson(withExactNumbers(extraction), 2));
  }
  for (const { path, message } of extraction.validation_errors) {
    output.note(output.style('yellow', `${printable(path)}: ${printable(message)}`));
  }
  for (const { path, message } of extraction.issues) {
    const where = path === '' ? '' : `${printable(path)}: `;
    output.note(output.style('yellow', `${where}${printable(message)}`));
  }
  const toCheck = Object.values(extraction.review ?? {}).filter(({ to_check }) => to_check).length;
  if (toCheck > 0) output.note(`${toCheck} ${toCheck === 1 ? 'value' : 'values'} to check: docwright review`);
  return extraction.is_complete ? exitCodes.ok : exitCodes.incomplete;
}
