import type { DocumentBulk, DocumentBulkAction, DocumentSelection } from '@docwright/contract';
import type { Command } from 'commander';
import type { Docwright } from '../../../create-docwright.ts';
import { action, listOption, repeatedOption, type Host } from '../../context/action.ts';
import { signedIn, type CommandContext } from '../../context/context.ts';
import { exitCodes, UsageError, type ExitCode } from '../../context/exit-codes.ts';
import { resolveDocument, resolvePrompt, resolveTags } from '../../context/names.ts';
import { minuteOf } from '../../terminal/output.ts';
import { bar, createProgressLine } from '../../terminal/progress-line.ts';
import { printableLine } from '../../terminal/terminal-text.ts';

interface StartOptions {
  expect?: string;
  document?: string[];
  search?: string;
  tag?: string[];
  state?: string;
  all?: true;
  setTag?: string[];
  prompt?: string;
  message?: string;
  allowTool?: string[];
}

export function addBulkCommands(program: Command, host: Host): void {
  const bulk = program
    .command('bulk')
    .enablePositionalOptions()
    .summary('one action over many documents')
    .description('Lists bulk jobs, the newest first.')
    .action(action(host, listJobs));

  bulk
    .command('start')
    .argument('<action>', 'tag, untag, delete, restore, purge, extract, auto_create or message')
    .summary('start an action on many documents, and show its progress')
    .description(
      'Changes the named documents, or all documents that match the filter. restore and purge work on the trash. Deleted documents can be restored for 30 days; every action except purge can be undone.',
    )
    .option('--document <document>', 'a document by id or name; may be repeated', repeatedOption)
    .option('--search <text>', 'documents with this text in their name')
    .option('--tag <name>', 'documents with this tag; may be repeated', listOption)
    .option('--state <state>', 'documents in this state, for example ocr_completed')
    .option('--all', 'every document')
    .option('--expect <count>', 'the number of documents that the filter matches; purge needs it')
    .option('--set-tag <name>', 'the tag to add or remove; may be repeated', listOption)
    .option('--prompt <prompt>', 'extract with this prompt, by id or name')
    .option('-m, --message <text>', 'the message to the agent')
    .option('--allow-tool <tools>', 'tools that are allowed to write, comma-separated', listOption)
    .action(action<[string], StartOptions>(host, startJob));

  bulk
    .command('stop')
    .argument('<job>', 'id of a bulk job')
    .summary('stop a bulk job; finished documents stay changed')
    .action(action<[string], object>(host, stopJob));

  bulk
    .command('undo')
    .argument('<job>', 'id of a bulk job')
    .summary('undo the changes of a bulk job')
    .action(action<[string], object>(host, undoJob));

  const trash = program
    .command('trash')
    .summary('deleted documents')
    .description('Lists deleted documents, the last deleted first.')
    .action(action(host, listTrash));
  trash
    .command('restore')
    .argument('<documents...>', 'ids')
    .summary('restore documents')
    .action(action<[string[]], object>(host, (context, [ids]) => startOnTrash(context, 'restore', ids)));
  trash
    .command('purge')
    .argument('<documents...>', 'ids')
    .summary('delete documents permanently')
    .action(action<[string[]], object>(host, (context, [ids]) => startOnTrash(context, 'purge', ids)));

  program
    .command('delete')
    .argument('<documents...>', 'ids or names')
    .summary('move documents to the trash')
    .action(action<[string[]], object>(host, deleteDocuments));
}

async function listJobs(context: CommandContext): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const { bulk_jobs } = await client.bulk.list({ limit: 50 }, { signal });
  output.data({ bulk_jobs });
  output.table(
    ['id', 'action', 'state', 'total', 'succeeded', 'failed', 'undone', 'started'],
    bulk_jobs.map((job) => [
      job.id,
      job.action,
      job.state,
      String(job.total),
      String(job.succeeded),
      String(job.failed),
      job.undo === null ? '' : String(job.undo.undone),
      minuteOf(job.created_at),
    ]),
  );
  if (bulk_jobs.length === 0) output.note('No bulk jobs.');
}

async function startJob(context: CommandContext, [wanted]: [string], options: StartOptions): Promise<ExitCode | void> {
  const { signal } = context;
  const client = await signedIn(context);
  const query: DocumentSelection = {
    ...(options.search !== undefined && { name_search: options.search }),
    ...(options.tag && { tag_ids: await resolveTags(client, options.tag, signal) }),
    // The server lists the valid states.
    ...(options.state !== undefined && { state: options.state as NonNullable<DocumentSelection['state']> }),
  };
  const named = options.document ?? [];
  const isFiltered = Object.keys(query).length > 0 || options.all === true;
  if (named.length > 0 === isFiltered) {
    throw new UsageError('Choose the documents with one of: --document, a filter such as --tag, or --all.');
  }
  const document_ids = await Promise.all(named.map(async (name) => (await resolveDocument(client, name, signal)).id));
  const job = await client.bulk.start(
    {
      ...(named.length > 0 ? { document_ids } : { query }),
      // The server lists the valid actions.
      action: wanted as DocumentBulkAction,
      ...(options.expect !== undefined && { expected_count: Number(options.expect) }),
      ...(options.setTag && { tag_ids: await resolveTags(client, options.setTag, signal) }),
      ...(options.prompt !== undefined && { prompt_id: await resolvePrompt(client, options.prompt, signal) }),
      ...(options.message !== undefined && { message: options.message }),
      ...(options.allowTool && { auto_approved_tools: options.allowTool }),
    },
    { signal },
  );
  return await watch(context, client, job.id);
}

async function stopJob(context: CommandContext, [id]: [string]): Promise<void> {
  const client = await signedIn(context);
  const job = await client.bulk.stop(id, { signal: context.signal });
  context.output.data(job);
  context.output.print(summaryOf(job));
}

async function undoJob(context: CommandContext, [id]: [string]): Promise<ExitCode> {
  const client = await signedIn(context);
  await client.bulk.undo(id, { signal: context.signal });
  const job = await client.bulk.wait(id, { signal: context.signal });
  context.output.data(job);
  const conflicts = job.undo?.conflicts ?? [];
  context.output.print(`${id}: ${job.undo?.undone ?? 0} documents undone, ${conflicts.length} not`);
  for (const { document_id, what } of conflicts) context.output.note(`${document_id}: ${printableLine(what)}`);
  return conflicts.length === 0 ? exitCodes.ok : exitCodes.failed;
}

async function listTrash(context: CommandContext): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const { documents, total_count } = await client.trash.list({ limit: 100 }, { signal });
  output.data({ documents, total_count });
  output.table(
    ['id', 'name', 'deleted', 'permanently deleted'],
    documents.map(({ id, document_name, deleted_at, purge_at }) => [
      id,
      document_name,
      minuteOf(deleted_at),
      purge_at.slice(0, 10),
    ]),
  );
  if (total_count === 0) output.note('The trash is empty.');
}

async function deleteDocuments(context: CommandContext, [names]: [string[]]): Promise<ExitCode> {
  const { signal } = context;
  const client = await signedIn(context);
  const document_ids = await Promise.all(names.map(async (name) => (await resolveDocument(client, name, signal)).id));
  const job = await client.bulk.start({ document_ids, action: 'delete' }, { signal });
  return await watch(context, client, job.id);
}

async function startOnTrash(
  context: CommandContext,
  wanted: 'restore' | 'purge',
  document_ids: string[],
): Promise<ExitCode> {
  const client = await signedIn(context);
  const job = await client.bulk.start({ document_ids, action: wanted }, { signal: context.signal });
  return await watch(context, client, job.id);
}

/** Shows a job until it has finished; Ctrl-C leaves it running. */
async function watch(context: CommandContext, client: Docwright, id: string): Promise<ExitCode> {
  const { output, signal, stderr } = context;
  const line = createProgressLine(stderr, output.isLive);
  let last: DocumentBulk | undefined;
  try {
    for await (const { bulk } of client.bulk.events(id, { signal })) {
      last = bulk;
      line.show(`${bar(bulk.total === 0 ? 1 : bulk.done / bulk.total)} ${bulk.done} of ${bulk.total}`);
    }
  } finally {
    line.clear();
  }
  if (last === undefined) return exitCodes.failed;
  output.data(last);
  output.print(summaryOf(last));
  for (const { document_id, document_name, message } of last.failures) {
    output.note(printableLine(`${document_name ?? document_id}: ${message}`));
  }
  return last.state === 'completed' && last.failed === 0 ? exitCodes.ok : exitCodes.failed;
}

function summaryOf({
  id,
  action: what,
  state,
  total,
  succeeded,
  skipped,
  failed,
  cancelled,
  error,
}: DocumentBulk): string {
  const left = cancelled === 0 ? '' : `, ${cancelled} cancelled`;
  const counts = `${succeeded} of ${total} succeeded, ${skipped} skipped, ${failed} failed${left}`;
  return `${id} ${what} ${state}: ${counts}${error === null ? '' : ` (${printableLine(error.message)})`}`;
}
