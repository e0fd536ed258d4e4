import type { Source, SourceSync } from '@docwright/contract';
import type { Command } from 'commander';
import { action, listOption, repeatedOption, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { resolveDocument, resolveSource, resolveTags } from '../context/names.ts';
import { minuteOf } from '../terminal/output.ts';
import { printableLine } from '../terminal/terminal-text.ts';
import { addConnectorCommands } from './arrival/connector-commands.ts';

interface CreateOptions {
  document?: string[];
  tag?: string[];
  search?: string;
}

export function addSourceCommands(program: Command, host: Host): void {
  const sources = program
    .command('sources')
    .enablePositionalOptions()
    .summary('sets of documents, from which collections are created')
    .description('Lists sources, the newest first.')
    .action(action<[], object>(host, listSources));

  sources
    .command('create')
    .argument('<name>')
    .summary('create a source')
    .description('Creates a set of documents. All given conditions must match; without any, it contains all documents.')
    .option('--document <document>', 'a document by id or name; may be repeated', repeatedOption)
    .option('--tag <name>', 'documents with this tag; may be repeated', listOption)
    .option('--search <text>', 'documents with this text in their name')
    .action(action<[string], CreateOptions>(host, createSource));

  addConnectorCommands(sources, host);

  sources
    .command('sync')
    .argument('<source>', 'id or name')
    .summary('look at the files of a source now')
    .description('Makes a sync due for a source that fills itself, and shows what the last one did.')
    .action(action<[string], object>(host, syncSource));

  sources
    .command('status')
    .argument('<source>', 'id or name')
    .summary('the last sync of a source that fills itself')
    .description('Shows the last sync of a source, and the first files that it could not take.')
    .action(action<[string], object>(host, showSync));

  sources
    .command('delete')
    .argument('<source>', 'id or name')
    .summary('delete a source; its documents and collections are kept')
    .action(action<[string], object>(host, deleteSource));
}

async function listSources(context: CommandContext): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const sources: Source[] = [];
  for await (const source of client.sources.listAll({}, { signal })) sources.push(source);
  output.data({ sources });
  output.table(
    ['id', 'name', 'documents', 'created'],
    sources.map(({ id, name, document_count, created_at }) => [id, name, String(document_count), minuteOf(created_at)]),
  );
  if (sources.length === 0) output.note('No sources. Create one with: docwright sources create <name>');
}

async function createSource(
  context: CommandContext,
  [name]: [string],
  { document, tag, search }: CreateOptions,
): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const named = document && (await Promise.all(document.map((each) => resolveDocument(client, each, signal))));
  const source = await client.sources.create(
    {
      name,
      ...(named && { document_ids: named.map(({ id }) => id) }),
      ...(tag && { tag_ids: await resolveTags(client, tag, signal) }),
      ...(search !== undefined && { name_search: search }),
    },
    { signal },
  );
  output.data(source);
  output.note(
    `Created the source ${printableLine(source.name)} of ${source.document_count} documents. Build a pipeline with: docwright setup ${source.id}`,
  );
  output.print(source.id);
}

async function syncSource(context: CommandContext, [wanted]: [string]): Promise<void> {
  const { signal } = context;
  const client = await signedIn(context);
  const id = await resolveSource(client, wanted, signal);
  writeSync(context, await client.sources.sync(id, { signal }));
}

async function showSync(context: CommandContext, [wanted]: [string]): Promise<void> {
  const { signal } = context;
  const client = await signedIn(context);
  const id = await resolveSource(client, wanted, signal);
  writeSync(context, await client.sources.lastSync(id, { signal }));
}

function writeSync({ output }: CommandContext, sync: SourceSync): void {
  const { state, ended_at, next_at, counts, errors, error } = sync;
  output.data(sync);
  const time = (at: string | null) => (at === null ? 'never' : minuteOf(at));
  output.table(
    ['state', 'ended', 'next', ...Object.keys(counts)],
    [[state, time(ended_at), time(next_at), ...Object.values(counts).map(String)]],
  );
  if (error) output.note(`The last sync failed: ${printableLine(error.message)}`);
  for (const { file, message } of errors) output.note(`${printableLine(file)}: ${printableLine(message)}`);
}

async function deleteSource(context: CommandContext, [wanted]: [string]): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const id = await resolveSource(client, wanted, signal);
  await client.sources.delete(id, { signal });
  output.data({ deleted: id });
  output.note('Deleted.');
}
