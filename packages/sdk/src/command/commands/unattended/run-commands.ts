import type { Run, RunEvent, RunState } from '@docwright/contract';
import type { Command } from 'commander';
import type { Docwright } from '../../../create-docwright.ts';
import { action, countOption, listOption, onAskOf, repeatedOption, type Host } from '../../context/action.ts';
import { signedIn, type CommandContext } from '../../context/context.ts';
import { exitCodes, UsageError, type ExitCode } from '../../context/exit-codes.ts';
import { resolveDocument, resolveSchedule } from '../../context/names.ts';
import { minuteOf } from '../../terminal/output.ts';
import { bar, createProgressLine } from '../../terminal/progress-line.ts';
import { printableLine } from '../../terminal/terminal-text.ts';
import { addFilterOptions, readFilter, type FilterOptions } from '../filter-options.ts';

interface StartOptions extends FilterOptions {
  message: string;
  document?: string[];
  all?: true;
  allowTool?: string[];
  maxDocuments?: number;
  watch?: true;
  park?: boolean;
}

export function addRunCommands(program: Command, host: Host): void {
  const runs = program
    .command('runs')
    // An option after a subcommand belongs to the subcommand, even if both have an option of that name.
    .enablePositionalOptions()
    .summary('unattended runs over many documents')
    .description('Lists runs, the newest first.')
    .option('--schedule <name>', 'only runs of this schedule, by name or id')
    .option('--state <state>', 'only runs in this state, for example running')
    .option('--limit <n>', 'maximum number of runs (20)', countOption)
    .action(action<[], { schedule?: string; state?: string; limit?: number }>(host, listRuns));

  addFilterOptions(
    runs
      .command('start')
      .summary('send a message to the agent of each document')
      .description(
        'Sends a message to the agent of each document. The run is unattended: write calls run if --allow-tool or a rule allows them, otherwise they are denied, or wait in the inbox with --park.',
      )
      .requiredOption('-m, --message <text>', 'the message to each agent')
      .option('--document <document>', 'a document by id or name; may be repeated', repeatedOption)
      .option('--all', 'every document'),
  )
    .option('--allow-tool <tools>', 'tools that are allowed to write, comma-separated', listOption)
    .option('--max-documents <n>', 'maximum number of documents', countOption)
    .option('--park', 'calls that need approval wait in the inbox; by default they are denied')
    .option('--watch', 'show the progress until it has finished')
    .action(action<[], StartOptions>(host, startRun));

  runs
    .command('show')
    .argument('<run>', 'id of a run')
    .summary('a run, and the result of each document')
    .action(action<[string], object>(host, showRun));

  runs
    .command('watch')
    .argument('<run>', 'id of a run')
    .summary('show the progress of a run until it has finished')
    .description('Shows the progress of a run until it has finished. With --json: one line for each event.')
    .action(action<[string], object>(host, async (context, [id]) => watchRun(context, await signedIn(context), id)));

  runs
    .command('stop')
    .argument('<run>', 'id of a run')
    .summary('stop a run; finished documents stay changed')
    .action(action<[string], object>(host, stopRun));

  runs
    .command('undo')
    .argument('<run>', 'id of a run')
    .summary('undo the changes of a run')
    .description(
      'Undoes the changes of the run and shows the progress. In each document either all changes are undone or none. Documents that others have changed since are listed and not undone; another undo retries them.',
    )
    .action(action<[string], object>(host, undoRun));
}

async function listRuns(
  context: CommandContext,
  _: [],
  { schedule, state, limit = 20 }: { schedule?: string; state?: string; limit?: number },
): Promise<void> {
  const { signal } = context;
  const client = await signedIn(context);
  const query = {
    ...(schedule !== undefined && { schedule_id: await resolveSchedule(client, schedule, signal) }),
    ...(state !== undefined && { state: state as RunState }),
    limit: Math.min(limit, 100),
  };
  const runs: Run[] = [];
  for await (const run of client.runs.listAll(query, { signal })) {
    runs.push(run);
    if (runs.length >= limit) break;
  }
  printRuns(context, runs);
}

export function printRuns({ output }: CommandContext, runs: Run[]): void {
  output.data({ runs });
  output.table(
    ['id', 'action', 'state', 'matched', 'succeeded', 'failed', 'spu', 'started'],
    runs.map((run) => [
      run.id,
      run.action,
      run.state,
      String(run.matched),
      String(run.succeeded),
      String(run.failed),
      String(run.spu_used),
      minuteOf(run.started_at ?? ''),
    ]),
  );
  if (runs.length === 0) output.note('No runs.');
}

async function startRun(context: CommandContext, _: [], options: StartOptions): Promise<ExitCode | void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const filter = await readFilter(client, options, signal);
  const named = options.document ?? [];
  if (named.length > 0 && (filter !== undefined || options.all === true)) {
    throw new UsageError('Name documents or give a filter, not both.');
  }
  if (named.length === 0 && filter === undefined && options.all !== true) {
    throw new UsageError('Choose the documents: --document, a filter such as --tag, or --all.');
  }
  const document_ids = await Promise.all(named.map(async (name) => (await resolveDocument(client, name, signal)).id));
  const run = await client.runs.start(
    {
      ...(named.length > 0 ? { document_ids } : { filter: filter ?? {} }),
      message: options.message,
      ...onAskOf(options),
      ...(options.allowTool && { auto_approved_tools: options.allowTool }),
      ...(options.maxDocuments !== undefined && { max_documents: options.maxDocuments }),
    },
    { signal },
  );
  if (options.watch === true) return await watchRun(context, client, run.id);
  output.data(run);
  output.note(`Started. Follow it with: docwright runs watch ${run.id}`);
  output.print(run.id);
}

async function showRun(context: CommandContext, [id]: [string]): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const run = await client.runs.get(id, { signal });
  const { documents } = await client.runs.documents(id, { limit: 100 }, { signal });
  output.data({ ...run, documents });
  output.print(summaryOf(run));
  output.table(
    ['document', 'name', 'state', 'spu', 'reason'],
    documents.map((document) => [
      document.document_id,
      document.document_name ?? '(deleted)',
      document.incomplete_results ? `${document.state}, incomplete` : document.state,
      String(document.spu_used),
      document.error?.message ?? '',
    ]),
  );
}

/** Shows a run until it has finished; Ctrl-C leaves it running. */
export async function watchRun(context: CommandContext, client: Docwright, id: string): Promise<ExitCode> {
  const { output, signal, stderr } = context;
  const line = createProgressLine(stderr, output.isLive);
  let last: Run | undefined;
  const incomplete = new Set<string>();
  const show = (event: RunEvent) => {
    output.line(event);
    if (event.type !== 'document') {
      last = event.run;
      const { total, succeeded, failed, cancelled, running } = last;
      const ended = succeeded + failed + cancelled;
      line.show(`${bar(total === 0 ? 1 : ended / total)} ${ended} of ${total}, ${running} running, ${failed} failed`);
      return;
    }
    const { document_name, document_id, state, error, incomplete_results } = event.document;
    const name = printableLine(document_name ?? document_id);
    if (state === 'succeeded' && incomplete_results) {
      incomplete.add(document_id);
      line.keep(`${output.style('yellow', '!')} ${name}: incomplete`);
    } else if (state === 'succeeded') line.keep(`${output.style('green', '✓')} ${name}`);
    if (state === 'failed')
      line.keep(`${output.style('red', '✗')} ${name}: ${printableLine(error?.message ?? 'failed')}`);
  };
  try {
    for await (const event of client.runs.events(id, { signal })) show(event);
  } finally {
    line.clear();
  }
  if (last === undefined) return exitCodes.failed;
  output.print(summaryOf(last));
  if (last.state !== 'completed' || last.failed > 0) return exitCodes.failed;
  return incomplete.size > 0 && last.action !== 'chat' ? exitCodes.incomplete : exitCodes.ok;
}

async function stopRun(context: CommandContext, [id]: [string]): Promise<void> {
  const client = await signedIn(context);
  const run = await client.runs.stop(id, { signal: context.signal });
  context.output.data(run);
  context.output.print(summaryOf(run));
}

/** Exits with a failure if some documents were not undone. */
async function undoRun(context: CommandContext, [id]: [string]): Promise<ExitCode> {
  const { output, signal, stderr } = context;
  const client = await signedIn(context);
  const line = createProgressLine(stderr, output.isLive);
  let run = await client.runs.undo(id, { signal });
  try {
    for await (const event of client.runs.events(id, { signal })) {
      if (event.type === 'document') continue;
      run = event.run;
      line.show(`${run.undo?.undone ?? 0} documents undone`);
    }
  } finally {
    line.clear();
  }
  const { undone = 0, conflicts = [] } = run.undo ?? {};
  output.data(run);
  output.print(`${id} undone in ${undone} ${undone === 1 ? 'document' : 'documents'}`);
  for (const { document_id, what } of conflicts) output.note(`${document_id}: ${printableLine(what)}`);
  return conflicts.length === 0 ? exitCodes.ok : exitCodes.failed;
}

function summaryOf({ id, state, total, succeeded, failed, cancelled, parked, spu_used, error }: Run): string {
  const waits = parked === 0 ? '' : `, ${parked} waiting for a decision`;
  const counts = `${succeeded} of ${total} succeeded, ${failed} failed, ${cancelled} cancelled${waits}, ${spu_used} SPU`;
  return `${id} ${state}: ${counts}${error === null ? '' : ` (${printableLine(error.message)})`}`;
}
