import type { Collection } from '@docwright/contract';
import type { Command } from 'commander';
import type { Docwright } from '../../create-docwright.ts';
import { action, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { resolveCollection } from '../context/names.ts';
import { pipelineLine } from '../setup/pipeline-line.ts';
import { minuteOf } from '../terminal/output.ts';
import { bar, createProgressLine } from '../terminal/progress-line.ts';
import { printableLine } from '../terminal/terminal-text.ts';

interface WaitOption {
  wait?: true;
}

export function addCollectionCommands(program: Command, host: Host): void {
  const collections = program
    .command('collections')
    .summary('searchable results of pipelines')
    .description('Lists collections, the newest first. Create one with: docwright setup <source>')
    .action(action<[], object>(host, listCollections));

  const command = (name: string, summary: string) =>
    collections.command(name).argument('<collection>', 'id or name').summary(summary);
  command('show', 'a collection, with its progress and failures').action(action<[string], object>(host, show));
  command('wait', 'wait until a collection is indexed').action(
    action<[string], object>(host, async (context, [wanted]) => {
      const client = await signedIn(context);
      await waitUntilIndexed(context, client, await resolveCollection(client, wanted, context.signal));
    }),
  );
  command('update', 'index the changes of the source, and retry failed documents')
    .option('--wait', 'wait until it is indexed')
    .action(action<[string], WaitOption>(host, update));
  command('stop', 'stop indexing; indexed documents remain searchable').action(action<[string], object>(host, stop));
  command('delete', 'delete a collection and its index; its documents are kept').action(
    action<[string], object>(host, remove),
  );
}

async function listCollections(context: CommandContext): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const collections: Collection[] = [];
  for await (const collection of client.collections.listAll({}, { signal })) collections.push(collection);
  output.data({ collections });
  output.table(
    ['id', 'name', 'status', 'documents', 'failed', 'chunks', 'created'],
    collections.map(({ id, name, status, progress, created_at }) => [
      id,
      name,
      status,
      `${progress.indexed}/${progress.documents}`,
      String(progress.failed),
      String(progress.chunks),
      minuteOf(created_at),
    ]),
  );
  if (collections.length === 0) output.note('No collections. Create one with: docwright setup <source>');
}

async function show(context: CommandContext, [wanted]: [string]): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const collection = await client.collections.get(await resolveCollection(client, wanted, signal), { signal });
  output.data(collection);
  output.print(summaryOf(collection));
  output.print(pipelineLine(collection.pipeline));
  for (const { category, count, examples } of collection.failures) {
    output.print(`failed  ${count}  ${printableLine(category)}: ${printableLine(examples[0]?.message ?? '')}`);
  }
  const { added = 0, removed = 0, changed = 0, failed = 0 } = collection.changes ?? {};
  if (added + removed + changed + failed > 0) {
    output.note(
      `The source has changed: ${added} documents added, ${removed} removed, ${changed} extracted again, ${failed} to retry. Index the changes with: docwright collections update ${collection.id}`,
    );
  }
}

async function update(context: CommandContext, [wanted]: [string], { wait }: WaitOption): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const id = await resolveCollection(client, wanted, signal);
  const collection = await client.collections.update(id, { signal });
  if (wait === true) return await waitUntilIndexed(context, client, id);
  output.data(collection);
  output.print(summaryOf(collection));
}

async function stop(context: CommandContext, [wanted]: [string]): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const collection = await client.collections.stop(await resolveCollection(client, wanted, signal), { signal });
  output.data(collection);
  output.print(summaryOf(collection));
}

async function remove(context: CommandContext, [wanted]: [string]): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const id = await resolveCollection(client, wanted, signal);
  await client.collections.delete(id, { signal });
  output.data({ deleted: id });
  output.note('Deleted.');
}

/** Shows the indexing until it has finished; Ctrl-C leaves it running. */
export async function waitUntilIndexed(context: CommandContext, client: Docwright, id: string): Promise<void> {
  const collection = await watchIndexing(context, client, id);
  context.output.data(collection);
  context.output.print(summaryOf(collection));
}

/** Shows a progress line until the indexing has finished. */
export async function watchIndexing(
  { output, signal, stderr }: CommandContext,
  client: Docwright,
  id: string,
): Promise<Collection> {
  const line = createProgressLine(stderr, output.isLive);
  try {
    return await client.collections.wait(id, {
      signal,
      onProgress({ progress: { documents, indexed, failed, chunks } }) {
        const fraction = documents === 0 ? 1 : (indexed + failed) / documents;
        line.show(`${bar(fraction)} ${indexed} of ${documents} indexed, ${failed} failed, ${chunks} chunks`);
      },
    });
  } finally {
    line.clear();
  }
}

export function summaryOf({ id, name, status, progress, search }: Collection): string {
  const { documents, indexed, failed, pages, chunks } = progress;
  const ways = search.vectors ? 'words and meaning' : 'words';
  return `${id} ${printableLine(name)} ${status}: ${indexed} of ${documents} documents, ${failed} failed, ${pages} pages, ${chunks} chunks, search by ${ways}`;
}
