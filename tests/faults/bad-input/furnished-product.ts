import { startDemoModel } from '@docwright/demo-model';
import type { AgentConversation, Document, TurnAnswer } from '@docwright/contract';
import { pino } from 'pino';
import { startJobs } from '../../../apps/api/src/process/start-jobs.ts';
import { startTestApp } from '../../../apps/api/src/testing/test-app.ts';
import type { TestClient } from '../../../apps/api/src/testing/test-client.ts';
import type { Known } from './odd-requests.ts';

export interface FurnishedProduct {
  address: string;
  known: Known;
  /** The logged errors. */
  failures: string[];
  stop(): Promise<void>;
}

/** The server with jobs and the demo model, and an organization with one object of each kind. */
export async function startFurnishedProduct(): Promise<FurnishedProduct> {
  const failures: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void failures.push(line) });
  const demo = await startDemoModel();
  const llmEndpoint = { baseUrl: demo.baseUrl, model: demo.model, apiKey: undefined };
  const app = await startTestApp({ llmEndpoint, logger });
  await startJobs(app.services);
  const own = await furnish(app.admin);
  const other = await furnish(await app.addOrganization());
  const member = await app.addUser('member');
  const leaving = await app.addUser('member');
  const named = (things: Things, path: string, parameter: string): readonly string[] => {
    if (parameter === 'id') return path.includes('/prompts/') ? things.prompt : things.schema;
    if (parameter === 'conversation_id')
      return path.startsWith('/api/v1') ? things.taskConversation : things.conversation;
    if (parameter === 'user_id' && path.includes('/members/')) return [member.userId];
    return things.of[parameter] ?? ['unknown'];
  };
  return {
    address: app.address,
    failures,
    known: {
      segments: (path, parameter) => named(own, path, parameter),
      foreign: (parameter) => named(other, '', parameter),
      ids: [...Object.values(own.of).flat(), ...own.schema, ...own.prompt, ...other.schema],
      fields: { ...fieldsOf(own, demo.model), schema_id: [own.schema[0]] },
      bodies: (operation) => (operation === 'POST /mcp' ? callsOfTools(own) : []),
      headersOf(operation) {
        // Signing out ends that session.
        const { accessToken } = operation === 'POST /v0/auth/logout' ? leaving : app.admin;
        const accept = operation === 'POST /mcp' ? { accept: 'application/json, text/event-stream' } : {};
        return { authorization: `Bearer ${accessToken}`, 'x-org-id': app.admin.organizationId, ...accept };
      },
    },
    async stop() {
      await app.stop();
      await demo.close();
    },
  };
}

export interface Things {
  of: Record<string, readonly string[]>;
  schema: readonly string[];
  prompt: readonly string[];
  conversation: readonly string[];
  taskConversation: readonly string[];
}

/** One object of each kind in the client's organization, by the name of its path parameter. */
export async function furnish(client: TestClient, mark = 'INV-1042'): Promise<Things> {
  async function make<Made>(path: string, body: object): Promise<Made> {
    const { status, body: made, text } = await client.post<Made>(path, body);
    if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
    return made;
  }
  const content = Buffer.from(`Invoice ${mark}\n\nVendor: Contoso\n\nTotal: 5.00`).toString('base64');
  const { documents } = await make<{ documents: Document[] }>('./documents', {
    documents: [{ name: 'note.txt', content }],
  });
  const document = documents[0]!.id;
  await textOf(client, document);
  const tag = await make<{ tag_id: string }>('./tags', { name: 'Invoices' });
  const { schema_id, schema_revid } = await make<Record<string, string>>('./schemas', {
    name: 'Invoice',
    response_format,
  });
  const { prompt_id, prompt_revid } = await make<Record<string, string>>('./prompts', {
    name: 'Invoice',
    content: `Read it: ${mark}.`,
    schema_id,
    release_policy: {},
  });
  await make(`./documents/${document}/extractions`, { prompt_revid });
  const messages = [{ role: 'user', content: 'add a tag called Paid' }];
  const turn = await make<TurnAnswer>(`./documents/${document}/chat`, { messages });
  const asked = await make<TurnAnswer>('./ask', {
    messages: [{ role: 'user', content: 'Contoso invoice' }],
  });
  const cited = (asked.claims ?? []).flatMap(({ citations }) => citations.map(({ id }) => id));
  const route = await make<{ id: string }>('./routes', { name: 'Route', when: { name_matches: 'never' }, then: {} });
  const schedule = await make<{ id: string }>('./schedules', {
    name: `Nightly ${mark}`,
    cron: '0 3 * * *',
    action: 'run_extraction',
  });
  const run = await make<{ id: string }>('./runs', { message: 'list tags', document_ids: [document] });
  const rule = await make<{ id: string }>('./permission_rules', {
    tool: 'delete_*',
    effect: 'ask',
    scope: 'organization',
  });
  const token = await make<{ id: string }>('./access_tokens', { name: 'tests', lifetime_days: 1 });
  const organization = { 'x-org-id': client.organizationId };
  async function below<Made>(path: string, body: object, accept = 'application/json'): Promise<Made> {
    const answer = await client.request<Made>('POST', path, { payload: body, headers: { ...organization, accept } });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }
  await make(`./members`, { email: `invited-${client.organizationId}@example.com`, role: 'viewer' });
  const of = async (path: string) => (await client.get<Record<string, { id: string }[]>>(path)).body;
  const invitation = (await of('./invitations'))['invitations']![0]!;
  const entry = (await of('./audit'))['entries']![0]!;
  const session = (await of('/v0/auth/sessions'))['sessions']![0]!;
  await client.put(`./documents/${document}/extractions/${prompt_revid}/verification`, { is_verified: true });
  // It sends nothing while it is disabled, but has deliveries.
  const hook = await make<{ id: string }>('./webhooks', { url: 'https://example.com/hook', enabled: false });
  const delivery = await deliveryOf(client, hook.id);
  const view = await make<{ id: string }>(`./prompts/${prompt_id}/views`, { name: `View of ${mark}` });
  const evaluation = await make<{ id: string }>('./evaluations', { prompt_id, max_documents: 1 });
  const bulk = await make<{ id: string }>('./documents/bulk', {
    action: 'tag',
    document_ids: [document],
    tag_ids: [tag.tag_id],
  });
  const task = await below<{ id: string }>(`/api/v1/${client.userId}/tasks`, { title: `Look at ${mark}` });
  const said = await below<{ conversation_id: number }>(`/api/v1/agent/${client.userId}/chat`, {
    message: 'show my tasks',
  });
  const source = await below<{ id: string }>('/api/v2/sources', { name: `All of ${mark}` });
  const conversations = '/api/v2/agent/conversations';
  const applied = await below<{ id: string }>(conversations, { source_id: source.id });
  await below(`${conversations}/${applied.id}/messages`, { message: 'Make it searchable' });
  const { collection_id } = await below<{ collection_id: string }>(`${conversations}/${applied.id}/apply`, {
    collection_name: `All of ${mark}`,
    force: true,
  });
  const open = await below<AgentConversation>(conversations, { source_id: source.id });
  return {
    of: {
      org_id: [client.organizationId],
      user_id: [client.userId],
      document_id: [document],
      tag_id: [tag.tag_id],
      prompt_id: [prompt_id!],
      prompt_revid: [prompt_revid!],
      turn_id: [turn.turn_id],
      thread_id: [turn.thread_id],
      ask_turn_id: [asked.turn_id],
      ask_thread_id: [asked.thread_id],
      citation_id: cited,
      route_id: [route.id],
      schedule_id: [schedule.id],
      run_id: [run.id],
      rule_id: [rule.id],
      token_id: [token.id],
      webhook_id: [hook.id],
      delivery_id: [delivery],
      view_id: [view.id],
      invitation_id: [invitation.id],
      entry_id: [entry.id],
      session_id: [session.id],
      evaluation_id: [evaluation.id],
      bulk_id: [bulk.id],
      version: ['1'],
      task_id: [task.id],
      source_id: [source.id],
      collection_id: [collection_id],
      name: ['default', 'mine'],
    },
    schema: [schema_id!, schema_revid!],
    prompt: [prompt_id!, prompt_revid!],
    conversation: [open.id, applied.id],
    taskConversation: [String(said.conversation_id)],
  };
}

/** A delivery for an event of the organization, once there is one. */
async function deliveryOf(client: TestClient, webhook: string): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    await client.post(`./webhooks/${webhook}/redeliver`, { since: '2026-01-01T00:00:00Z' });
    const { body } = await client.get<{ deliveries: { id: string }[] }>(`./webhooks/${webhook}/deliveries`);
    if (body.deliveries[0]) return body.deliveries[0].id;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error('There is no event of the organization.');
}

const schema = {
  type: 'object',
  properties: { total: { type: 'string' } },
  required: ['total'],
  additionalProperties: false,
};
const response_format = { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };

export function fieldsOf({ of }: Things, model: string): Known['fields'] {
  const [document, tag] = [of['document_id'], of['tag_id']];
  return {
    ...of,
    name: ['Invoice', 'Another'],
    document_ids: [document],
    tag_ids: [tag],
    prompt_id: [undefined],
    response_format: [response_format],
    data: [{ total: '5' }],
    columns: [[{ id: '1', name: 'Total', type: 'text' }], []],
    content: ['SGVsbG8=', 'create a schema for this invoice and extract it'],
    cron: ['0 3 * * *'],
    every: ['1h'],
    timezone: ['Europe/Berlin'],
    from: ['2026-01-01T00:00:00Z'],
    due_at: ['2030-01-01T00:00:00Z'],
    model: [model],
    tool: ['create_tag', 'update_*'],
    auto_approved_tools: [['create_tag']],
    effect: ['allow'],
    role: ['member', 'user'],
    scope: ['organization'],
    filter: [{ name_search: 'note' }],
    states: [['ocr_completed']],
    path: ['total'],
    base_version: [1],
    messages: [[{ role: 'user', content: 'create a schema for this invoice and extract it' }]],
    message: ['list my tasks', 'Make it searchable'],
    mentions: [[{ type: 'tag', id: tag?.[0] }]],
    approvals: [[]],
    query: ['invoice'],
    email: ['somebody@example.com'],
    // Left out: an unreachable endpoint is a legitimate 502.
    base_url: ['http://127.0.0.1:9/v1'],
    kind: ['openai'],
    period: ['month'],
    spu_limit: [null],
    conversation_id: [null],
    metadata: [{ a: 1 }],
  };
}

function callsOfTools({ of }: Things): object[] {
  const call = (name: string, args: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const document_id = of['document_id']?.[0];
  return [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    { jsonrpc: '2.0', id: 1, result: {} },
    call('list_documents', { skip: 0, limit: 2 }),
    call('get_ocr_text', { document_id, page_num: 1 }),
    call('get_extraction_result', { document_id }),
    call('create_tag', { name: 'Paid', document_id }),
    call('list_collections', { limit: 2 }),
    call('search_collection', { collection_id: of['collection_id']?.[0], query: 'invoice', top_k: 3 }),
    call('query_results', { prompt_id: of['prompt_id']?.[0], sort: 'total', limit: 2 }),
    call('get_call', { document_id, turn_id: of['turn_id']?.[0] }),
  ];
}

async function textOf(client: TestClient, document: string): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    if ((await client.get<Document>(`./documents/${document}`)).body.state === 'ocr_completed') return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('The text of a document was not read.');
}
