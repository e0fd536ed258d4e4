import type { createRouteBody, Route, RouteSimulation } from '@docwright/contract';
import type { Command } from 'commander';
import type { z } from 'zod';
import { DocwrightError } from '../../../client/docwright-error.ts';
import type { Docwright } from '../../../create-docwright.ts';
import { action, countOption, type Host } from '../../context/action.ts';
import { signedIn, type CommandContext } from '../../context/context.ts';
import { exitCodes, UsageError, type ExitCode } from '../../context/exit-codes.ts';
import { pickByName } from '../../context/names.ts';
import { printableLine } from '../../terminal/terminal-text.ts';
import { readJsonFile } from './json-file.ts';

type RouteBody = z.input<typeof createRouteBody>;

interface SimulateOptions {
  routes?: string;
  documents?: number;
  yes?: true;
}

const pageSize = 100;

/** Where documents go when they arrive. */
export function addRouteCommands(program: Command, host: Host): void {
  const routes = program
    .command('routes')
    .enablePositionalOptions()
    .summary('where documents go when they arrive')
    .description('Lists routes, in the order in which they are tried. Changes are for admins.')
    .action(action<[], object>(host, listRoutes));
  routes
    .command('create')
    .argument('<file>', 'JSON of one route or of a list; - for standard input')
    .summary('create routes, which are tried last')
    .description(
      'A route is { "name", "when", "then" }: { "name": "Invoices", "when": { "text_contains": ["invoice"] }, "then": { "tag_ids": ["…"] } }.',
    )
    .action(action<[string], object>(host, createRoutes));
  routes
    .command('order')
    .argument('<routes...>', 'ids or names, the first one first; those that are not named follow in their order')
    .summary('set the order of the routes')
    .action(action<[string[]], object>(host, orderRoutes));
  routes
    .command('simulate')
    .summary('show where existing documents would go')
    .description('Writes nothing. Where a model would be asked, it says first what that costs.')
    .option(
      '--routes <file>',
      'JSON of routes that are not saved, instead of those of the organization; - for standard input',
    )
    .option('--documents <n>', 'how many of the newest documents (100)', countOption)
    .option('--yes', 'ask the model without asking first')
    .action(action<[], SimulateOptions>(host, simulateRoutes));
  routes
    .command('delete')
    .argument('<route>', 'id or name')
    .summary('delete a route; documents that it routed keep what they got')
    .action(action<[string], object>(host, deleteRoute));
}

async function allRoutes(client: Docwright, signal: AbortSignal): Promise<Route[]> {
  const routes: Route[] = [];
  for (let total = 1; routes.length < total;) {
    const page = await client.routes.list({ skip: routes.length, limit: pageSize }, { signal });
    if (page.routes.length === 0) break;
    routes.push(...page.routes);
    total = page.total_count;
  }
  return routes;
}

function resolveRoute(routes: readonly Route[], wanted: string): Route {
  const named = routes.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  const picked = routes.find(({ id }) => id === wanted.toLowerCase()) ?? pickByName('route', wanted, named);
  if (picked !== undefined) return picked;
  const message = `There is no route called "${printableLine(wanted)}". List them with: docwright routes`;
  throw new DocwrightError({ code: 'not_found', message, status: 404 });
}

function writeRoutes({ output }: CommandContext, routes: readonly Route[]): void {
  output.data({ routes });
  output.table(
    ['place', 'id', 'state', 'name', 'when', 'then'],
    routes.map(({ id, enabled, name, when, then }, at) => [
      String(at + 1),
      id,
      enabled ? 'on' : 'off',
      printableLine(name),
      printableLine(JSON.stringify(when)),
      printableLine(JSON.stringify(then)),
    ]),
  );
}

async function listRoutes(context: CommandContext): Promise<void> {
  const routes = await allRoutes(await signedIn(context), context.signal);
  writeRoutes(context, routes);
  if (routes.length === 0) context.output.note('No routes. Create one with: docwright routes create <file>');
}

/** The routes of a file; the server checks what they hold. */
async function routesIn(context: CommandContext, file: string): Promise<RouteBody[]> {
  const read = await readJsonFile(context, file);
  const given = Array.isArray(read) ? read : [read];
  if (given.length === 0) throw new UsageError(`${file} has no routes.`);
  return given as RouteBody[];
}

async function createRoutes(context: CommandContext, [file]: [string]): Promise<void> {
  const { output, signal } = context;
  const bodies = await routesIn(context, file);
  const client = await signedIn(context);
  const routes: Route[] = [];
  for (const body of bodies) {
    const route = await client.routes.create(body, { signal });
    routes.push(route);
    output.print(`${route.id}  ${printableLine(route.name)}`);
  }
  output.data({ routes });
}

async function orderRoutes(context: CommandContext, [wanted]: [string[]]): Promise<void> {
  const { signal } = context;
  const client = await signedIn(context);
  const routes = await allRoutes(client, signal);
  const first = wanted.map((each) => resolveRoute(routes, each).id);
  const ids = [...new Set([...first, ...routes.map(({ id }) => id)])];
  writeRoutes(context, (await client.routes.order(ids, { signal })).routes);
}

async function simulateRoutes(
  context: CommandContext,
  _args: [],
  { routes: file, documents, yes }: SimulateOptions,
): Promise<ExitCode | void> {
  const { output, asker, signal } = context;
  const body = {
    ...(documents !== undefined && { max_documents: documents }),
    ...(file !== undefined && { routes: await routesIn(context, file) }),
  };
  const client = await signedIn(context);
  const simulate = (confirm: boolean) => client.routes.simulate({ ...body, ...(confirm && { confirm }) }, { signal });
  let simulation: RouteSimulation;
  try {
    simulation = await simulate(yes === true);
  } catch (error) {
    if (!(error instanceof DocwrightError && error.code === 'confirm_required')) throw error;
    output.note(error.message.replace(/ Repeat the request.*$/u, ''));
    if (!asker.isTerminal) {
      output.note('Repeat the command with --yes to ask it.');
      return exitCodes.failed;
    }
    if (!/^y/iu.test((await asker.ask('Ask the model? [y/N] ')) ?? '')) return exitCodes.failed;
    simulation = await simulate(true);
  }
  output.data(simulation);
  output.table(
    ['state', 'routes', 'document', 'why'],
    simulation.documents.map(({ state, routes, candidates = [], document_name, why }) => [
      state,
      printableLine((routes.length > 0 ? routes : candidates).join(', ')),
      printableLine(document_name),
      printableLine(why),
    ]),
  );
  const count = (state: string) => simulation.documents.filter((each) => each.state === state).length;
  output.note(`${count('routed')} routed, ${count('unsure')} unsure, ${count('none')} without a route.`);
}

async function deleteRoute(context: CommandContext, [wanted]: [string]): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const { id } = resolveRoute(await allRoutes(client, signal), wanted);
  await client.routes.delete(id, { signal });
  output.data({ deleted: id });
  output.note('Deleted.');
}
