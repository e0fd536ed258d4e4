import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { eventType, type EventType } from '@docwright/contract';
import type { Command } from 'commander';
import { action, countOption, listOption, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { UsageError } from '../context/exit-codes.ts';
import { resolvePrompt } from '../context/names.ts';
import { printableLine } from '../terminal/terminal-text.ts';

interface ResultOptions {
  where?: string;
  sort?: string;
  columns?: string;
  table?: string;
  limit?: number;
  groupBy?: string[];
  sum?: string;
  csv?: string;
  ndjson?: string;
  xlsx?: string;
}

/** Results over many documents, the feed of events, and webhooks. */
export function addDeliveryCommands(program: Command, host: Host): void {
  program
    .command('results')
    .argument('<prompt>', 'the prompt, by id or name')
    .summary('results of a prompt over all documents')
    .description(
      'Lists the newest result of each document. Conditions are joined by " and ": "total>=1000 and supplier~acme and iban=null".',
    )
    .option('--where <conditions>', 'only these rows')
    .option('--sort <column>', 'a column; with - in front descending: --sort=-total')
    .option('--columns <paths>', 'columns, separated by commas')
    .option('--table <path>', 'a row for each item of this list')
    .option('--limit <n>', 'maximum number of rows (50)', countOption)
    .option('--group-by <columns>', 'totals by the values of one or two columns instead of rows', listOption)
    .option('--sum <column>', 'totals with the sum of this column instead of rows')
    .option('--csv <file>', 'write all rows to a CSV file')
    .option('--ndjson <file>', 'write all rows to a file with a JSON object in each line')
    .option('--xlsx <file>', 'write all rows to an Excel file')
    .action(action<[string], ResultOptions>(host, results));
  program
    .command('events')
    .summary('what happened in the organization')
    .description('Prints events, one a line. With --follow it waits for more.')
    .option('--after <seq>', 'only events after this number', countOption)
    .option('--types <types>', `only these types, separated by commas: ${eventType.options.join(', ')}`)
    .option('--follow', 'wait for more events')
    .action(action<[], { after?: number; types?: string; follow?: boolean }>(host, events));
  const webhooks = program
    .command('webhooks')
    .summary('addresses that get events')
    .description('Lists the webhooks of the organization.')
    .action(action<[], object>(host, listWebhooks));
  webhooks
    .command('create')
    .argument('<url>', 'the address')
    .summary('create a webhook and print its secret')
    .option('--types <types>', 'only these types, separated by commas')
    .option('--include-result', 'send results with events about them')
    .action(action<[string], { types?: string; includeResult?: boolean }>(host, createWebhook));
  webhooks
    .command('deliveries')
    .argument('<webhook>', 'webhook id')
    .summary('what was sent to a webhook, newest first')
    .option('--limit <n>', 'maximum number of deliveries (50)', countOption)
    .action(action<[string], { limit?: number }>(host, listDeliveries));
  webhooks
    .command('rotate')
    .argument('<webhook>', 'webhook id')
    .summary('replace the secret and print the new one; for 24 hours both sign')
    .action(
      action<[string], object>(host, async (context, [id]) => {
        const rotated = await (await signedIn(context)).webhooks.rotate(id, { signal: context.signal });
        context.output.data(rotated);
        context.output.print(rotated.secret);
      }),
    );
  webhooks
    .command('delete')
    .argument('<webhook>', 'webhook id')
    .summary('delete a webhook and its deliveries')
    .action(
      action<[string], object>(host, async (context, [id]) => {
        await (await signedIn(context)).webhooks.delete(id, { signal: context.signal });
        context.output.data({ deleted: id });
        context.output.note('Deleted.');
      }),
    );
  webhooks
    .command('test')
    .argument('<webhook>', 'webhook id')
    .summary('send a test event')
    .action(
      action<[string], object>(host, async (context, [id]) => {
        const tested = await (await signedIn(context)).webhooks.test(id, { signal: context.signal });
        context.output.data(tested);
        context.output.print(
          tested.succeeded ? `The receiver answered ${tested.status}.` : (tested.error ?? 'It failed.'),
        );
        return tested.succeeded ? undefined : 1;
      }),
    );
  webhooks
    .command('redeliver')
    .argument('<webhook>', 'webhook id')
    .summary('send all events again that have not succeeded')
    .option('--since <time>', 'only those since this time (ISO 8601)')
    .action(
      action<[string], { since?: string }>(host, async (context, [id], { since }) => {
        const client = await signedIn(context);
        const which = since === undefined ? ({ failed: true } as const) : { since };
        const sent = await client.webhooks.redeliverAll(id, which, { signal: context.signal });
        context.output.data(sent);
        context.output.print(`${sent.deliveries} ${sent.deliveries === 1 ? 'event is' : 'events are'} sent again.`);
      }),
    );
}

async function results(context: CommandContext, [wanted]: [string], options: ResultOptions): Promise<void> {
  const { output, signal } = context;
  const { where, sort, table, limit = 50 } = options;
  const columns = options.columns?.split(',').map((path) => path.trim());
  const query = {
    ...(where && { where }),
    ...(sort && { sort }),
    ...(table && { table }),
    ...(columns && { columns }),
  };
  const client = await signedIn(context);
  const promptId = await resolvePrompt(client, wanted, signal);
  for (const format of ['csv', 'ndjson', 'xlsx'] as const) {
    const file = options[format];
    if (file === undefined) continue;
    const response = await client.results.export(promptId, format, query, { signal });
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(file));
    output.note(`Written to ${file}.`);
    return;
  }
  const { groupBy = [], sum } = options;
  if (groupBy.length > 0 || sum !== undefined) {
    const { sort: _sort, columns: _columns, ...filter } = query;
    const totals = { ...filter, group_by: groupBy, ...(sum !== undefined && { sum }) };
    const summary = await client.results.summary(promptId, totals, { signal });
    output.data(summary);
    output.table(
      [...groupBy.map(printableLine), 'rows', ...(sum === undefined ? [] : [`sum of ${printableLine(sum)}`])],
      summary.totals.map(({ key, count, sum: added }) => [
        ...key.map(textOf),
        String(count),
        ...(added === undefined ? [] : [String(added)]),
      ]),
    );
    return;
  }
  const page = await client.results.list(promptId, { ...query, limit: Math.min(limit, 500) }, { signal });
  output.data(page);
  const paths = columns ?? page.columns.map(({ path }) => path);
  output.table(
    // The last column, so that those before keep their places for scripts.
    ['document', ...paths.map(printableLine), 'to check'],
    page.rows.map(({ document_name, to_check = 0, fields }) => [
      printableLine(document_name),
      ...paths.map((path) => printableLine(textOf(fields[path] ?? ''))),
      to_check === 0 ? '' : String(to_check),
    ]),
  );
  output.note(`${page.rows.length} of ${page.total_count} rows.`);
}

async function events(
  context: CommandContext,
  _args: [],
  options: { after?: number; types?: string; follow?: boolean },
): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const query = {
    ...(options.after !== undefined && { after: options.after }),
    ...(options.types !== undefined && { types: typesOf(options.types) }),
  };
  const print = (event: { seq: number; timestamp: string; type: string; data: Record<string, unknown> }) => {
    const { document_name = '', document_id = '' } = event.data;
    output.line(event);
    output.print(
      `${event.seq}  ${event.timestamp}  ${event.type}  ${printableLine(String(document_name))} ${String(document_id)}`,
    );
  };
  if (options.follow === true) {
    for await (const event of client.events.follow(query, { signal })) print(event);
    return;
  }
  for (let after = options.after; ;) {
    const feed = await client.events.list({ ...query, ...(after !== undefined && { after }) }, { signal });
    for (const event of feed.events) print(event);
    if (feed.events.length === 0 || feed.next_after === after) return;
    after = feed.next_after;
  }
}

function typesOf(text: string): EventType[] {
  return text.split(',').map((type) => {
    const found = eventType.options.find((option) => option === type.trim());
    if (found === undefined) throw new UsageError(`There is no event type "${type}". The types are listed by --help.`);
    return found;
  });
}

async function listWebhooks(context: CommandContext): Promise<void> {
  const { output, signal } = context;
  const found = await (await signedIn(context)).webhooks.list({ limit: 100 }, { signal });
  output.data(found);
  output.table(
    ['id', 'state', 'types', 'address'],
    found.webhooks.map(({ id, enabled, disabled_because, types, url }) => [
      id,
      enabled ? 'enabled' : `disabled${disabled_because === undefined ? '' : `: ${disabled_because}`}`,
      types.length === 0 ? 'all' : types.join(', '),
      printableLine(url),
    ]),
  );
  if (found.webhooks.length === 0) output.note('No webhooks yet.');
}

async function createWebhook(
  context: CommandContext,
  [url]: [string],
  { types, includeResult = false }: { types?: string; includeResult?: boolean },
): Promise<void> {
  const { output, signal } = context;
  const body = { url, include_result: includeResult, ...(types !== undefined && { types: typesOf(types) }) };
  const made = await (await signedIn(context)).webhooks.create(body, { signal });
  output.data(made);
  output.print(`${made.id}  ${made.secret}`);
  output.note('The secret is shown only once.');
}

async function listDeliveries(
  context: CommandContext,
  [id]: [string],
  { limit = 50 }: { limit?: number },
): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const page = await client.webhooks.deliveries(id, { limit: Math.min(limit, 100) }, { signal });
  output.data(page);
  output.table(
    ['seq', 'event', 'state', 'tries', 'status', 'seconds', 'next try'],
    page.deliveries.map(({ seq, type, state, tries, status, seconds, next_try_at }) => [
      String(seq),
      type,
      state,
      String(tries),
      String(status ?? '–'),
      String(seconds ?? '–'),
      next_try_at ?? '',
    ]),
  );
  output.note(`${page.deliveries.length} of ${page.total_count} deliveries.`);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
