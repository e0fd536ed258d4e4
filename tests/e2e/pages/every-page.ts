import fs from 'node:fs';
import path from 'node:path';
import type { AppliedConversation, Collection, Run, Schedule, Schema, Source } from '@docwright/contract';
import { strictObject, type Desk } from '../browser/document-setup.ts';

const invoice = path.resolve(import.meta.dirname, '../../corpus/contoso-invoice.pdf');
const routes = path.resolve(import.meta.dirname, '../../../apps/web/src/routes');

/** The ids of the objects in the addresses. */
interface Things {
  document: string;
  schema: string;
  prompt: string;
  schedule: string;
  run: string;
  setup: string;
  source: string;
  collection: string;
}

interface PageRow {
  /** The route's path in the router. */
  route: string;
  address: (things: Things) => string;
  /** A text that shows that the page is loaded. */
  shows: string | RegExp;
}

const row = (
  route: string,
  shows: string | RegExp,
  address: string | ((things: Things) => string) = route,
): PageRow => ({
  route,
  shows,
  address: typeof address === 'string' ? () => address : address,
});

/** Every page behind the sign-in, each at least once. */
export const pages: PageRow[] = [
  row('/', 'contoso-invoice.pdf'),
  row('/documents/$documentId', 'INV-100', ({ document }) => `/documents/${document}`),
  row('/documents/$documentId', 'All saved', ({ document }) => `/documents/${document}?tab=forms`),
  row('/documents/$documentId', /^demo-rules-1/u, ({ document }) => `/documents/${document}?tab=agent`),
  row('/documents/$documentId/split', 'Make one document', ({ document }) => `/documents/${document}/split`),
  row('/trash', 'The trash is empty'),
  row('/audit', 'Any channel'),
  row('/schemas', 'Invoice'),
  row('/schemas/new', 'JSON schema'),
  row('/schemas/$schemaId', 'Compare', ({ schema }) => `/schemas/${schema}?compare=1`),
  row('/schemas/$schemaId/edit', 'JSON schema', ({ schema }) => `/schemas/${schema}/edit`),
  row('/schemas/designer', 'No columns yet'),
  row('/schemas/$schemaId/design', 'Invoice number', ({ schema }) => `/schemas/${schema}/design`),
  row('/prompts', 'Invoice'),
  row('/prompts/new', 'Content'),
  row('/prompts/$promptId', 'Extract the values.', ({ prompt }) => `/prompts/${prompt}`),
  row('/prompts/$promptId/edit', 'Content', ({ prompt }) => `/prompts/${prompt}/edit`),
  row('/prompts/$promptId/accuracy', 'Nothing verified yet', ({ prompt }) => `/prompts/${prompt}/accuracy`),
  row('/prompts/$promptId/try', 'Nothing verified yet', ({ prompt }) => `/prompts/${prompt}/try`),
  row('/results', 'Columns', ({ prompt }) => `/results?prompt=${prompt}`),
  row('/tags', 'Urgent'),
  row('/schedules', 'Every night'),
  row('/schedules/new', 'Name'),
  row('/schedules/$scheduleId', 'Every night', ({ schedule }) => `/schedules/${schedule}`),
  row('/schedules/$scheduleId/edit', 'Name', ({ schedule }) => `/schedules/${schedule}/edit`),
  row('/runs', /message|extract/iu),
  row('/runs/new', /message/iu),
  row('/runs/$runId', 'contoso-invoice.pdf', ({ run }) => `/runs/${run}`),
  row('/setup', 'Everything'),
  row('/setup/new', 'Which documents'),
  row('/setup/sources', 'All documents'),
  row('/setup/sources/new', 'Test the connection'),
  row('/setup/sources/$sourceId', /^This is a set of documents/u, ({ source }) => `/setup/sources/${source}`),
  row('/setup/$conversationId', 'What is in the source', ({ setup }) => `/setup/${setup}`),
  row('/collections', 'Everything there is'),
  row(
    '/collections/$collectionId',
    /hits? in \d+ document/u,
    ({ collection }) => `/collections/${collection}?q=invoice`,
  ),
  row(
    '/documents/$documentId',
    'Close the search results',
    ({ document, collection }) => `/documents/${document}?page=1&start=0&end=200&collection=${collection}&q=invoice`,
  ),
  row('/ask', 'What do you want to know?'),
  row('/tasks', /task/iu),
  row('/proposals', /^Documents that look alike/),
  row('/review', /Nothing to check|values/u),
  row('/review', 'No route waits for you', '/review?tab=routes'),
  row('/inbox', /Nothing waits for you|Approve/u),
  row(
    '/authorize',
    'The program is not registered here',
    '/authorize?client_id=x&redirect_uri=x&response_type=code&code_challenge=x&code_challenge_method=S256',
  ),
  row('/settings', 'Account', '/settings'),
  row('/settings', 'Add by e-mail', '/settings?section=organization'),
  row('/settings', 'New token for', '/settings?section=tokens'),
  row('/settings', 'No routes yet', '/settings?section=routes'),
  row('/settings', 'No webhooks yet', '/settings?section=webhooks'),
  row('/settings', 'Tool', '/settings?section=rules'),
  row('/settings', 'demo-rules-1', '/settings?section=models'),
  row('/settings', 'Limit in SPU', '/settings?section=usage'),
];

/** Pages for signed-out users only. */
export const entryPages = ['/sign-in', '/create-account'];

/** Addresses that lead to another page. */
export const redirects = ['/documents'];

/** All paths of the router. */
export function routesOfTheApp(): string[] {
  const source = fs
    .readdirSync(routes)
    .map((file) => fs.readFileSync(path.join(routes, file), 'utf8'))
    .join('\n');
  const own = [...source.matchAll(/path: '([^']+)'/gu)].map(([, found = '']) => found);
  const entries = /\(\[([^\]]+)\] as const\)\.map/u.exec(source)?.[1] ?? '';
  return [...own, ...[...entries.matchAll(/'([^']+)'/gu)].map(([, found = '']) => found)];
}

/** Creates one object of each kind, so that no page is empty. */
export async function fillProduct(desk: Desk): Promise<Things> {
  const field = { type: ['string', 'null'], description: 'Invoice number' };
  const twoFields = strictObject({ invoice_number: field, invoice_date: { type: ['string', 'null'] } });
  const prompt = await desk.prompt('Invoice', { invoice_number: field });
  const { schemas } = await desk.call<{ schemas: [Schema] }>('GET', '/schemas');
  const [schema] = schemas;
  const { response_format } = schema;
  const { json_schema } = response_format;
  await desk.call('PUT', `/schemas/${schema.schema_id}`, {
    response_format: { ...response_format, json_schema: { ...json_schema, schema: twoFields } },
  });
  const document = await desk.upload('contoso-invoice.pdf', fs.readFileSync(invoice));
  await desk.read(document);
  await desk.extract(document, prompt);
  await desk.call('POST', '/tags', { name: 'Urgent', color: '#b91c1c' });
  const schedule = await desk.call<Schedule>('POST', '/schedules', {
    name: 'Every night',
    cron: '0 2 * * *',
    timezone: 'Europe/Berlin',
    action: 'run_extraction',
    prompt_id: prompt.prompt_id,
  });
  const run = await desk.call<Run>('POST', '/runs', { document_ids: [document.id], message: 'What is the total?' });
  const source = await desk.callV2<Source>('POST', '/sources', { name: 'Everything' });
  const setup = await setUpPipeline(desk, source);
  return {
    document: document.id,
    schema: schema.schema_id,
    prompt: prompt.prompt_id,
    schedule: schedule.id,
    run: run.id,
    setup,
    source: source.id,
    collection: await makeCollection(desk, source, 'Everything there is'),
  };
}

/** A conversation with a finished pipeline. */
async function setUpPipeline(desk: Desk, { id: source_id }: Source): Promise<string> {
  const { id } = await desk.callV2<{ id: string }>('POST', '/agent/conversations', { source_id });
  await desk.callV2('POST', `/agent/conversations/${id}/messages`, { message: 'Make it searchable' });
  return id;
}

/** The collection of that pipeline, after indexing. */
export async function makeCollection(desk: Desk, source: Source, collection_name: string): Promise<string> {
  const setup = await setUpPipeline(desk, source);
  const { collection_id } = await desk.callV2<AppliedConversation>('POST', `/agent/conversations/${setup}/apply`, {
    collection_name,
    force: true,
  });
  for (let look = 0; look < 240; look += 1) {
    const { status } = await desk.callV2<Collection>('GET', `/collections/${collection_id}`);
    if (status === 'ready') return collection_id;
    await desk.page.waitForTimeout(100);
  }
  throw new Error('The collection was not indexed.');
}
