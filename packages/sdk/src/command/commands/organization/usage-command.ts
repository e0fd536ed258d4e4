import type { OrganizationUsage, Spent } from '@docwright/contract';
import { Option, type Command } from 'commander';
import { action, type Host } from '../../context/action.ts';
import { signedIn, type CommandContext } from '../../context/context.ts';
import { UsageError } from '../../context/exit-codes.ts';

type Kind = 'model' | 'day' | 'user' | 'prompt' | 'document' | 'run' | 'thread';

interface BudgetOptions {
  spu?: string;
  cost?: string;
  period?: 'total' | 'month';
}

export function addUsageCommands(program: Command, host: Host): void {
  const usage = program.command('usage').summary('what model calls have used and cost, and the budget');
  usage
    .command('show', { isDefault: true })
    .addOption(
      new Option('--by <kind>', 'what to list')
        .choices(['model', 'day', 'user', 'prompt', 'document', 'run', 'thread'] satisfies Kind[])
        .default('model'),
    )
    .summary('what has been used in the period of the budget')
    .action(action<[], { by: Kind }>(host, showUsage));
  usage
    .command('budget')
    .option('--spu <number>', 'the limit in SPU, or "none"')
    .option('--cost <amount>', 'the limit in money, in the currency of the price table, or "none"')
    .addOption(new Option('--period <period>', 'what the limits are for').choices(['total', 'month']))
    .summary('show or set the limits')
    .description('What is not named stays. Only admins can change it.')
    .action(action<[], BudgetOptions>(host, setBudget));
}

async function showUsage(context: CommandContext, _: [], { by }: { by: Kind }): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const usage = await client.usage.get({ signal });
  output.data(usage);
  output.table(
    [by, 'calls', 'tokens in', 'tokens out', 'spu', usage.currency],
    rowsOf(usage, by).map(([name, spent]) => [
      name,
      String(spent.calls),
      String(spent.prompt_tokens),
      String(spent.completion_tokens),
      String(spent.spu),
      costOf(spent),
    ]),
  );
  output.note(budgetLine(usage));
  output.note(storageLine(usage));
  if (usage.unpriced_calls > 0)
    output.note(`The price of ${usage.unpriced_calls} calls is not known; no sum has them.`);
}

function rowsOf(usage: OrganizationUsage, by: Kind): [string, Spent][] {
  switch (by) {
    case 'model':
      return usage.by_model.map((spent) => [spent.model, spent]);
    case 'day':
      return usage.by_day.map((spent) => [spent.day, spent]);
    case 'user':
      return usage.by_user.map((spent) => [spent.name ?? spent.user_id, spent]);
    case 'prompt':
      return usage.by_prompt.map((spent) => [spent.name ?? spent.prompt_id, spent]);
    case 'document':
      return usage.by_document.map((spent) => [spent.name ?? spent.document_id, spent]);
    case 'run':
      return usage.by_run.map((spent) => [spent.run_id, spent]);
    case 'thread':
      return usage.by_thread.map((spent) => [spent.thread_id, spent]);
  }
}

function costOf({ calls, cost_micros, unpriced_calls }: Spent): string {
  if (unpriced_calls === calls) return 'not known';
  return `${unpriced_calls > 0 ? '>= ' : ''}${amount(cost_micros)}`;
}

async function setBudget(context: CommandContext, _: [], options: BudgetOptions): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  if (Object.keys(options).length > 0) {
    const { spu, cost, period } = options;
    await client.usage.setBudget(
      {
        ...(spu !== undefined && { spu_limit: limitOf(spu, 1) }),
        ...(cost !== undefined && { cost_limit_micros: limitOf(cost, 1_000_000) }),
        ...(period !== undefined && { period }),
      },
      { signal },
    );
  }
  const usage = await client.usage.get({ signal });
  const { spu_limit, cost_limit_micros, currency, period } = usage;
  output.data({ spu_limit, cost_limit_micros, currency, period });
  output.print(budgetLine(usage));
}

function limitOf(text: string, scale: number): number | null {
  if (text === 'none') return null;
  if (!/^\d+(\.\d+)?$/u.test(text)) throw new UsageError(`A limit is a number or "none", not "${text}".`);
  return Math.round(Number(text) * scale);
}

function budgetLine(usage: OrganizationUsage): string {
  const { spu_used, spu_limit, cost_used_micros, cost_limit_micros, currency, period } = usage;
  const spu = `${spu_used} of ${spu_limit ?? 'unlimited'} SPU`;
  const limit = cost_limit_micros === null ? 'unlimited' : amount(cost_limit_micros);
  return `${spu}, ${amount(cost_used_micros)} of ${limit} ${currency} ${period === 'month' ? 'this month' : 'in all'}.`;
}

/** In megabytes of 1,024 kB, as the operator sets the limit. */
export function storageLine(usage: Pick<OrganizationUsage, 'stored_bytes' | 'stored_bytes_limit'>): string {
  const { stored_bytes: stored, stored_bytes_limit: limit } = usage;
  const most = limit === null ? 'unlimited' : megabytes(limit);
  return `Stored, with the trash: ${megabytes(stored)} of ${most} MB.`;
}

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/u, '');

/** With two digits after the point, and up to six if they matter. */
const amount = (micros: number): string => (micros / 1_000_000).toFixed(6).replace(/0{1,4}$/u, '');
