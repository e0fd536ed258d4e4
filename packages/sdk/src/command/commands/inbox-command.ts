import type { Approval, ApprovalOutcome } from '@docwright/contract';
import type { Command } from 'commander';
import { action, countOption, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { UsageError, type ExitCode } from '../context/exit-codes.ts';
import { minuteOf } from '../terminal/output.ts';
import { printableLine } from '../terminal/terminal-text.ts';

interface ListOptions {
  tool?: string;
  run?: string;
  mine?: true;
  groups?: true;
  limit?: number;
}

interface DecideOptions {
  group?: string;
  all?: true;
  reason?: string;
}

const maxDecisions = 200;

export function addInboxCommands(program: Command, host: Host): void {
  const inbox = program
    .command('inbox')
    .summary('pending calls of chats and runs')
    .description('Lists pending calls, the first to expire first.')
    .option('--tool <tool>', 'only calls of this tool')
    .option('--run <run_id>', 'only calls of this run')
    .option('--mine', 'only calls of your own chats and runs')
    .option('--groups', 'one line for each group of similar calls')
    .option('--limit <n>', 'maximum number of lines (50)', countOption)
    .action(action<[], ListOptions>(host, list));
  for (const [name, summary] of [
    ['approve', 'approve calls'],
    ['reject', 'reject calls'],
  ] as const) {
    inbox
      .command(name)
      .argument('[calls...]', 'call ids from the list')
      .summary(summary)
      .option('--group <group>', 'all calls of a group')
      .option('--all', 'with --group: also if it has more than 200 calls')
      .option('--reason <text>', 'the reason; the agent reads it')
      .action(
        action<[string[]], DecideOptions>(host, (context, [calls], options) =>
          decide(context, calls, options, name === 'approve'),
        ),
      );
  }
}

async function list(context: CommandContext, _args: [], options: ListOptions): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const { tool, run, mine, groups, limit = 50 } = options;
  const found = await client.approvals.list(
    {
      limit: Math.min(limit, 100),
      ...(tool !== undefined && { tool }),
      ...(run !== undefined && { run_id: run }),
      ...(mine === true && { mine }),
      ...(groups === true && { by: 'group' as const }),
    },
    { signal },
  );
  output.data(found);
  output.table(
    [groups === true ? 'group' : 'call', 'what', 'document', 'asked by', 'expires'],
    found.approvals.map((each) => [
      groups === true ? each.group : each.call_id,
      groups === true ? `${each.group_size ?? 1} × ${printableLine(each.summary)}` : printableLine(each.summary),
      printableLine(each.document_name ?? each.document_id),
      each.run_id === undefined ? 'chat' : `run ${each.run_id}`,
      minuteOf(each.expires_at),
    ]),
  );
  if (found.total_count === 0) output.note('No calls are pending.');
  else output.note(`${found.total_groups} decisions, ${found.total_count} calls.`);
}

async function decide(
  context: CommandContext,
  wanted: readonly string[],
  { group, all, reason }: DecideOptions,
  approved: boolean,
): Promise<ExitCode | undefined> {
  const { output, signal } = context;
  if ((wanted.length === 0) === (group === undefined)) throw new UsageError('Name calls, or a group with --group.');
  const client = await signedIn(context);
  const waiting: Approval[] = [];
  const query = group === undefined ? {} : { group };
  for await (const each of client.approvals.listAll(query, { signal })) waiting.push(each);
  const chosen = group === undefined ? waiting.filter(({ call_id }) => wanted.includes(call_id)) : waiting;
  const missing = wanted.filter((id) => !chosen.some(({ call_id }) => call_id === id));
  if (missing.length > 0) throw new UsageError(`These calls are not pending: ${missing.map(printableLine).join(', ')}`);
  if (chosen.length === 0) throw new UsageError('No call of this group is pending.');
  if (chosen.length > maxDecisions && all !== true)
    throw new UsageError(`The group has ${chosen.length} calls: add --all.`);
  const outcomes: ApprovalOutcome[] = [];
  for (let at = 0; at < chosen.length; at += maxDecisions) {
    const decisions = chosen.slice(at, at + maxDecisions).map(({ turn_id, call_id }) => ({
      turn_id,
      call_id,
      approved,
      ...(reason !== undefined && { reason }),
    }));
    outcomes.push(...(await client.approvals.decide(decisions, { signal })).outcomes);
  }
  output.data({ outcomes });
  const failed = outcomes.filter(({ status }) => status !== 'decided');
  for (const { call_id, status, message = '' } of failed)
    output.note(`${call_id}: ${status}. ${printableLine(message)}`);
  output.note(`${approved ? 'Approved' : 'Rejected'} ${outcomes.length - failed.length} of ${outcomes.length}.`);
  return failed.length === 0 ? undefined : 1;
}
