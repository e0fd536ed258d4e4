import type { createRouteBody, Route, RouteSimulation } from '@docwright/contract';
import type { Command } from 'commander';
import type { z } from 'zod';
import type { Docwright } from '../../create-docwright.ts';
import { action, countOption, listOption, repeatedOption, type Host } from '../context/action.ts';
import { signedIn, type CommandContext } from '../context/context.ts';
import { UsageError } from '../context/exit-codes.ts';
import { resolveDocument, resolvePrompt, resolveRoute, resolveSource, resolveTags } from '../context/names.ts';
import { printableLine } from '../terminal/terminal-text.ts';
import { readJsonFile } from './arrival/json-file.ts';

interface CreateOptions {
  nameMatches?: string;
  text?: string[];
  type?: string[];
  source?: string;
  minPages?: number;
  maxPages?: number;
  like?: string;
  describedAs?: string;
  tag?: string[];
  rename?: string;
  split?: string;
  neverToModel?: boolean;
  goOn?: boolean;
  trust?: boolean;
}

interface TryOptions {
  last?: number;
  routes?: string;
  confirm?: boolean;
}

/** Where documents go once they have their text. */
export function addRouteCommands(program: Command, host: Host): void {
  const routes = program
    .command('routes')
    .enablePositionalOptions()
    .summary('where documents go once they have their text')
    .description('Lists routes, in the order in which they are judged.')
    .action(action<[], object>(host, listRoutes));

  routes
    .command('create')
    .argument('<name>')
    .summary('create a route, which is judged last')
    .description('For admins. All given conditions must hold; without any, the route takes every document.')
    .option('--name-matches <pattern>', 'the name matches this regular expression')
    .option('--text <words>', 'these words stand in the text; may be repeated', repeatedOption)
    .option('--type <mime type>', 'one of these types, separated by commas', listOption)
    .option('--source <source>', 'it came from this source, by id or name')
    .option('--min-pages <n>', 'at least so many pages', countOption)
    .option('--max-pages <n>', 'at most so many pages', countOption)
    .option('--like <prompt>', 'it has the words of the verified documents of this prompt, by id or name')
    .option('--described-as <sentence>', 'a model says that the sentence fits')
    .option('--tag <name>', 'gives this tag; may be repeated', listOption)
    .option('--rename <name>', 'renames it; {original}, {date} and {sender} are replaced')
    .option('--split <how>', 'splits a scan of several documents: propose or apply')
    .option('--never-to-model', 'keeps it from models')
    .option('--go-on', 'the next route is judged too')
    .option('--trust', 'takes documents by --like or --described-as without a user')
    .action(action<[string], CreateOptions>(host, createRoute));

  routes
    .command('import')
    .argument('<file>', 'JSON of a route or of a list of routes, as the API takes them; - for standard input')
    .summary('create routes from JSON, which are judged last')
    .action(action<[string], object>(host, importRoutes));

  routes
    .command('try')
    .summary('show where the newest documents would go')
    .description('Writes nothing. Where a model would be asked, it says what that takes until --confirm is given.')
    .option('--last <n>', 'the number of documents (100)', countOption)
    .option('--routes <file>', 'JSON of routes that are not saved, instead of the saved ones; - for standard input')
    .option('--confirm', 'agree to the requests to a model')
    .action(action<[], TryOptions>(host, tryRoutes));

  routes
    .command('order')
    .argument('<routes...>', 'all routes, by id or name, the first judged first')
    .summary('set the order of all routes')
    .action(action<[string[]], object>(host, orderRoutes));

  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    routes
      .command(name)
      .argument('<route>', 'id or name')
      .summary(`${name} a route`)
      .action(
        action<[string], object>(host, async (context, [wanted]) => {
          const { client, id, signal } = await routeOf(context, wanted);
          context.output.data(await client.routes.update(id, { enabled }, { signal }));
          context.output.note(enabled ? 'It is judged.' : 'It is passed over.');
        }),
      );
  }

  routes
    .command('delete')
    .argument('<route>', 'id or name')
    .summary('delete a route; documents stay where they are')
    .action(
      action<[string], object>(host, async (context, [wanted]) => {
        const { client, id, signal } = await routeOf(context, wanted);
        await client.routes.delete(id, { signal });
        context.output.data({ deleted: id });
        context.output.note('Deleted.');
      }),
    );

  routes
    .command('settle')
    .argument('<document>', 'id or name')
    .argument('<route>', 'id or name of a route, or none')
    .summary('decide where a document goes')
    .action(action<[string, string], object>(host, settle));
}

async function routeOf(context: CommandContext, wanted: string) {
  const { signal } = context;
  const client = await signedIn(context);
  return { client, id: await resolveRoute(client, wanted, signal), signal };
}

async function listRoutes(context: CommandContext): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const routes = await allRoutes(client, signal);
  output.data({ routes });
  output.table(
    ['id', 'name', 'state', 'takes', 'gives'],
    routes.map(({ id, name, enabled, stop, when, then }) => [
      id,
      name,
      `${enabled ? 'enabled' : 'disabled'}${stop ? '' : ', goes on'}`,
      Object.keys(when).length === 0 ? 'every document' : JSON.stringify(when),
      JSON.stringify(then),
    ]),
  );
  if (routes.length === 0) output.note('No routes. Create one with: docwright routes create <name>');
}

async function allRoutes(client: Docwright, signal: AbortSignal): Promise<Route[]> {
  const routes: Route[] = [];
  for await (const route of client.routes.listAll({}, { signal })) routes.push(route);
  return routes;
}

async function createRoute(context: CommandContext, [name]: [string], options: CreateOptions): Promise<void> {
  const { output, signal } = context;
  const { nameMatches, text, type, source, minPages, maxPages, like, describedAs } = options;
  const { tag, rename, split, neverToModel = false, goOn = false, trust = false } = options;
  if (split !== undefined && split !== 'propose' && split !== 'apply')
    throw new UsageError('--split is propose or apply.');
  const client = await signedIn(context);
  const pages = { ...(minPages !== undefined && { min: minPages }), ...(maxPages !== undefined && { max: maxPages }) };
  const made = await client.routes.create(
    {
      name,
      when: {
        ...(nameMatches !== undefined && { name_matches: nameMatches }),
        ...(text && { text_contains: text }),
        ...(type && { mime_types: type }),
        ...(source !== undefined && { source_id: await resolveSource(client, source, signal) }),
        ...(Object.keys(pages).length > 0 && { pages }),
        ...(like !== undefined && { like: { prompt_id: await resolvePrompt(client, like, signal) } }),
        ...(describedAs !== undefined && { described_as: describedAs }),
      },
      then: {
        ...(tag && { tag_ids: await resolveTags(client, tag, signal) }),
        ...(rename !== undefined && { name: rename }),
        ...(split && { split }),
        ...(neverToModel && { never_to_model: true }),
      },
      stop: !goOn,
      trust,
    },
    { signal },
  );
  output.data(made);
  output.note(`Created the route ${printableLine(made.name)}. See what it takes with: docwright routes try`);
  output.print(made.id);
}

/** The routes of a file; the server checks what they hold. */
async function routesIn(context: CommandContext, file: string): Promise<z.input<typeof createRouteBody>[]> {
  const read = await readJsonFile(context, file);
  const given: unknown[] = Array.isArray(read) ? read : [read];
  if (given.length === 0) throw new UsageError(`${file} has no routes.`);
  return given as z.input<typeof createRouteBody>[];
}

async function importRoutes(context: CommandContext, [file]: [string]): Promise<void> {
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

async function tryRoutes(
  context: CommandContext,
  _args: [],
  { last = 100, routes: file, confirm = false }: TryOptions,
): Promise<void> {
  const { output, signal } = context;
  const unsaved = file === undefined ? {} : { routes: await routesIn(context, file) };
  const client = await signedIn(context);
  const tried = await client.routes.simulate(
    { max_documents: last, ...unsaved, ...(confirm && { confirm }) },
    { signal },
  );
  output.data(tried);
  output.table(
    ['document', 'state', 'routes', 'why'],
    tried.documents.map(({ document_name, state, routes, candidates = [], why }) => [
      document_name,
      state,
      [...routes, ...candidates.map((name) => `${name}?`)].join(', '),
      why,
    ]),
  );
  output.note(sentenceOf(tried));
}

/** How many documents keep the tags that they have. */
function sentenceOf({ documents, confusion }: RouteSimulation): string {
  const isSame = (one: readonly string[], other: readonly string[]) => {
    const given = new Set(one);
    return given.size === new Set(other).size && other.every((id) => given.has(id));
  };
  const same = confusion
    .filter(({ tag_ids, routed_tag_ids }) => isSame(tag_ids, routed_tag_ids))
    .reduce((sum, { count }) => sum + count, 0);
  return `${same} of ${documents.length} documents would have the tags that they have.`;
}

async function orderRoutes(context: CommandContext, [wanted]: [string[]]): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const ids: string[] = [];
  for (const each of wanted) ids.push(await resolveRoute(client, each, signal));
  const ordered = await client.routes.order(ids, { signal });
  output.data(ordered);
  output.note(`In order: ${ordered.routes.map(({ name }) => printableLine(name)).join(', ')}.`);
}

async function settle(context: CommandContext, [wanted, route]: [string, string]): Promise<void> {
  const { output, signal } = context;
  const client = await signedIn(context);
  const { id } = await resolveDocument(client, wanted, signal);
  const routeId = route === 'none' ? null : await resolveRoute(client, route, signal);
  const document = await client.routes.settle(id, routeId, { signal });
  output.data(document);
  output.note(routeId === null ? 'No route took it.' : 'The route took it.');
}
