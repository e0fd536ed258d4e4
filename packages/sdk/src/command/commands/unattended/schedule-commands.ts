import type { PatchScheduleBody, ReplaceLevel, Schedule, ScheduleAction } from '@docwright/contract';
import type { Command } from 'commander';
import type { Docwright } from '../../../create-docwright.ts';
import { action, countOption, onAskOf, type Host } from '../../context/action.ts';
import { signedIn, type CommandContext } from '../../context/context.ts';
import { UsageError, type ExitCode } from '../../context/exit-codes.ts';
import { resolvePrompt, resolveSchedule } from '../../context/names.ts';
import { minuteOf } from '../../terminal/output.ts';
import { printableLine } from '../../terminal/terminal-text.ts';
import { addFilterOptions, readFilter, type FilterOptions } from '../filter-options.ts';
import { printRuns, watchRun } from './run-commands.ts';

interface ScheduleOptions extends FilterOptions {
  name?: string;
  cron?: string;
  every?: string;
  timezone?: string;
  action?: string;
  prompt?: string;
  message?: string;
  maxDocuments?: number;
  replace?: string;
  enable?: true;
  disable?: true;
  park?: boolean;
}

export function addScheduleCommands(program: Command, host: Host): void {
  const schedules = program
    .command('schedules')
    .summary('actions that run regularly')
    .description('Lists schedules.')
    .action(action<[], object>(host, listSchedules));

  addBodyOptions(schedules.command('create').argument('<name>').summary('create a schedule'))
    .option('--disable', 'create it disabled')
    .action(action<[string], ScheduleOptions>(host, createSchedule));

  addBodyOptions(schedules.command('update').argument('<schedule>', 'id or name').summary('change a schedule'))
    .option('--name <name>', 'the new name')
    .option('--enable', 'enable it')
    .option('--disable', 'disable it')
    .action(action<[string], ScheduleOptions>(host, updateSchedule));

  schedules
    .command('delete')
    .argument('<schedule>', 'id or name')
    .summary('delete a schedule; its runs are kept')
    .action(action<[string], object>(host, deleteSchedule));

  schedules
    .command('run')
    .argument('<schedule>', 'id or name')
    .summary('run a schedule now')
    .option('--watch', 'show the progress until it has finished')
    .action(action<[string], { watch?: true }>(host, runSchedule));

  schedules
    .command('runs')
    .argument('<schedule>', 'id or name')
    .summary('the runs of a schedule, the newest first')
    .option('--limit <n>', 'maximum number of runs (20)', countOption)
    .action(action<[string], { limit?: number }>(host, listRunsOf));
}

function addBodyOptions(command: Command): Command {
  return addFilterOptions(
    command
      .option('--cron <fields>', 'when: minute, hour, day of month, month, day of week, such as "0 6 * * 1-5"')
      .option('--every <time>', 'or how often: 15m, 6h, 1d')
      .option('--timezone <zone>', 'such as Europe/Berlin')
      .option('--action <action>', 'auto_create or run_extraction'),
  )
    .option('--prompt <prompt>', 'for run_extraction: this prompt, by id or name')
    .option('--message <text>', 'for auto_create: replaces the default first message')
    .option('--max-documents <n>', 'maximum number of documents in one run', countOption)
    .option('--park', 'calls that need approval wait in the inbox')
    .option('--no-park', 'calls that need approval are denied (default)')
    .option('--replace <level>', 'for run_extraction: results of users to replace: edited, or verified as well');
}

async function listSchedules(context: CommandContext): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const schedules: Schedule[] = [];
  for await (const schedule of client.schedules.listAll({}, { signal })) schedules.push(schedule);
  output.data({ schedules });
  output.table(
    ['id', 'name', 'action', 'when', 'enabled', 'next'],
    schedules.map((schedule) => [
      schedule.id,
      schedule.name,
      schedule.action,
      whenOf(schedule),
      schedule.enabled ? 'yes' : 'no',
      minuteOf(schedule.next_due_at ?? ''),
    ]),
  );
  if (schedules.length === 0) output.note('No schedules. Create one with: docwright schedules create --help');
}

async function createSchedule(context: CommandContext, [name]: [string], options: ScheduleOptions): Promise<void> {
  if (options.action === undefined) throw new UsageError('Choose the action: --action auto_create or run_extraction.');
  if (options.cron === undefined && options.every === undefined)
    throw new UsageError('Choose the times: --cron or --every.');
  const client = await signedIn(context);
  const { action: scheduleAction, ...rest } = await bodyOf(client, options, context.signal);
  const { prompt_id, message, max_documents, replace, ...fields } = rest;
  const made = await client.schedules.create(
    {
      ...fields,
      ...(typeof prompt_id === 'string' && { prompt_id }),
      ...(typeof message === 'string' && { message }),
      ...(typeof max_documents === 'number' && { max_documents }),
      ...(typeof replace === 'string' && { replace }),
      name,
      action: scheduleAction ?? (options.action as ScheduleAction),
    },
    { signal: context.signal },
  );
  printSchedule(context, made, 'Created');
}

async function updateSchedule(context: CommandContext, [wanted]: [string], options: ScheduleOptions): Promise<void> {
  const { signal } = context;
  const client = await signedIn(context);
  const body = await bodyOf(client, options, signal);
  if (Object.keys(body).length === 0)
    throw new UsageError('Give the values to change: docwright schedules update --help');
  const id = await resolveSchedule(client, wanted, signal);
  printSchedule(context, await client.schedules.update(id, body, { signal }), 'Changed');
}

/** Only the given options; omitted ones do not change. */
async function bodyOf(client: Docwright, options: ScheduleOptions, signal: AbortSignal): Promise<PatchScheduleBody> {
  if (options.enable === true && options.disable === true)
    throw new UsageError('Choose one of --enable and --disable.');
  const filter = await readFilter(client, options, signal);
  const { name, cron, every, timezone, prompt, message, maxDocuments } = options;
  return {
    ...(name !== undefined && { name }),
    ...onAskOf(options),
    ...(cron !== undefined && { cron }),
    ...(every !== undefined && { every }),
    ...(timezone !== undefined && { timezone }),
    // The server lists the valid actions.
    ...(options.action !== undefined && { action: options.action as ScheduleAction }),
    ...(filter && { filter }),
    ...(prompt !== undefined && { prompt_id: await resolvePrompt(client, prompt, signal) }),
    ...(message !== undefined && { message }),
    ...(maxDocuments !== undefined && { max_documents: maxDocuments }),
    // The server lists the valid levels.
    ...(options.replace !== undefined && { replace: options.replace as ReplaceLevel }),
    ...(options.enable === true && { enabled: true }),
    ...(options.disable === true && { enabled: false }),
  };
}

async function deleteSchedule(context: CommandContext, [wanted]: [string]): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const id = await resolveSchedule(client, wanted, signal);
  await client.schedules.delete(id, { signal });
  output.data({ id, deleted: true });
  output.note('Deleted.');
}

async function runSchedule(
  context: CommandContext,
  [wanted]: [string],
  { watch }: { watch?: true },
): Promise<ExitCode | void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const run = await client.schedules.run(await resolveSchedule(client, wanted, signal), { signal });
  if (watch === true) return await watchRun(context, client, run.id);
  output.data(run);
  output.note(`Started. Follow it with: docwright runs watch ${run.id}`);
  output.print(run.id);
}

async function listRunsOf(
  context: CommandContext,
  [wanted]: [string],
  { limit = 20 }: { limit?: number },
): Promise<void> {
  const { signal } = context;
  const client = await signedIn(context);
  const id = await resolveSchedule(client, wanted, signal);
  const { runs } = await client.schedules.runs(id, { limit: Math.min(limit, 100) }, { signal });
  printRuns(context, runs);
}

function printSchedule({ output }: CommandContext, schedule: Schedule, action: string): void {
  output.data(schedule);
  const next =
    schedule.next_due_at === null ? 'It has no due time.' : `Its next run is due at ${schedule.next_due_at}.`;
  output.note(`${action} the schedule ${printableLine(schedule.name)}. ${next}`);
  output.print(schedule.id);
}

function whenOf({ cron, every, timezone }: Schedule): string {
  return cron === undefined ? `every ${every ?? ''}` : `${cron} ${timezone}`;
}
