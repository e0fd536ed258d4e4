/** A real n8n with the community node in its folder of installed packages: two workflows, from an upload to its values. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { invoice, root, startSignedInProduct, type SignedInProduct } from '../sdk/signed-in-product.ts';
import { freePort } from './free-port.ts';
import { run } from './programs.ts';

const withinMs = 120_000;
const credentials = { docwrightApi: { id: 'docwrightCredential', name: 'Docwright' } };
const packageFolder = path.join(root, 'packages/n8n-nodes-docwright');

/** Starts n8n, whose packages are installed in `place`, and a product that may call it. @throws Error if the story has another end */
export async function throughN8n(place: string): Promise<string> {
  const home = path.join(place, 'home');
  fs.rmSync(home, { recursive: true, force: true });
  installNode(path.join(home, '.n8n/nodes'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const product = await startSignedInProduct({ settings: { LLM_ALLOWED_HOSTS: '127.0.0.1' } });
  const env = {
    N8N_USER_FOLDER: home,
    N8N_PORT: String(port),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    WEBHOOK_URL: `${url}/`,
    N8N_ENCRYPTION_KEY: 'a key for this run alone',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_LOG_LEVEL: 'warn',
  };
  const program = path.join(place, 'node_modules/n8n/bin/n8n');
  const n8n = (...args: string[]) => run(process.execPath, [program, ...args], { cwd: place, env });
  let server: ReturnType<typeof spawn> | undefined;
  let output = '';
  try {
    const promptId = await createPrompt(product);
    const write = (name: string, value: unknown) => fs.writeFileSync(path.join(place, name), JSON.stringify(value));
    const { url: address, token } = product;
    const data = { url: address, token };
    write('credentials.json', [{ ...credentials.docwrightApi, type: 'docwrightApi', data }]);
    write('workflows.json', [onEvent(promptId), onUpload]);
    await n8n('import:credentials', '--input=credentials.json');
    await n8n('import:workflow', '--input=workflows.json');
    for (const { id } of [onEvent(promptId), onUpload]) await n8n('publish:workflow', `--id=${id}`);
    const started = spawn(process.execPath, [program, 'start'], { cwd: place, env: { ...process.env, ...env } });
    server = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-8_000)));
    }
    return await story(product, url, path.join(home, '.n8n/database.sqlite'));
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${output}`, { cause: error });
  } finally {
    if (server) {
      const exited = new Promise((resolve) => server!.once('exit', resolve));
      server.kill();
      await Promise.race([exited, sleep(10_000).then(() => server!.kill('SIGKILL'))]);
    }
    await product.stop();
  }
}

/** As n8n has packages that an admin installed from the registry. */
function installNode(folder: string): void {
  const target = path.join(folder, 'node_modules/n8n-nodes-docwright');
  fs.cpSync(path.join(packageFolder, 'dist'), path.join(target, 'dist'), { recursive: true });
  fs.copyFileSync(path.join(packageFolder, 'package.json'), path.join(target, 'package.json'));
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
}

async function createPrompt({ client }: SignedInProduct): Promise<string> {
  const properties = { invoice_number: { type: ['string', 'null'], description: 'Invoice number' } };
  const schema = { type: 'object', properties, required: ['invoice_number'], additionalProperties: false };
  const { schema_id } = await client.schemas.create({
    name: 'Invoice',
    response_format: { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } },
  } as Parameters<typeof client.schemas.create>[0]);
  const { prompt_id } = await client.prompts.create({
    name: 'Invoice',
    content: 'Read the invoice number.',
    schema_id,
  });
  return prompt_id;
}

const node = (name: string, type: string, parameters: object, more: object = {}) => ({
  id: name,
  name,
  type,
  typeVersion: 1,
  position: [0, 0],
  parameters,
  ...more,
});
const docwright = (name: string, parameters: object) =>
  node(name, 'n8n-nodes-docwright.docwright', parameters, { credentials });
const chain = (...names: string[]) =>
  Object.fromEntries(
    names.slice(1).map((next, at) => [names[at], { main: [[{ node: next, type: 'main', index: 0 }]] }]),
  );

const onEvent = (promptId: string) => ({
  id: 'docwrightEvent01',
  name: 'On each document',
  active: false,
  settings: { executionOrder: 'v1' },
  nodes: [
    node(
      'Event',
      'n8n-nodes-docwright.docwrightTrigger',
      { events: ['document.ready'], includeResult: false },
      { credentials, webhookId: '5d0c3f5e-0000-4000-8000-000000000001' },
    ),
    docwright('Extract', { operation: 'extract', documentId: '={{ $json.data.document_id }}', promptId }),
    docwright('Result', { operation: 'getResult', documentId: '={{ $json.document_id }}', promptId }),
    docwright('Link', { operation: 'approveLink', documentId: '={{ $json.document_id }}' }),
  ],
  connections: chain('Event', 'Extract', 'Result', 'Link'),
});

const onUpload = {
  id: 'docwrightUpload1',
  name: 'Upload a file',
  active: false,
  settings: { executionOrder: 'v1' },
  nodes: [
    node(
      'File',
      'n8n-nodes-base.webhook',
      { httpMethod: 'POST', path: 'file', responseMode: 'lastNode', options: {} },
      { typeVersion: 2, webhookId: '5d0c3f5e-0000-4000-8000-000000000002' },
    ),
    docwright('Upload', { operation: 'upload', binaryProperty: 'data' }),
  ],
  connections: chain('File', 'Upload'),
};

async function story({ client }: SignedInProduct, url: string, database: string): Promise<string> {
  const began = performance.now();
  // The trigger makes its webhook when n8n activates the workflow.
  await until('the webhook of the trigger', async () => (await client.webhooks.list()).total_count === 1);
  const form = new FormData();
  form.set('data', new Blob([fs.readFileSync(invoice)], { type: 'application/pdf' }), 'invoice.pdf');
  const document = await until('the upload', async () => {
    const answer = await fetch(`${url}/webhook/file`, { method: 'POST', body: form }).catch(() => undefined);
    return answer?.ok ? ((await answer.json()) as { document_id: string }) : undefined;
  });
  const found = await until('the extraction', async () => {
    const { extractions } = await client.extractions.list(document.document_id);
    return extractions[0];
  });
  if (!JSON.stringify(found.result).includes('INV-100')) throw new Error('The extraction has no INV-100.');
  const succeeded = await until('two executions without an error', async () => {
    const states = executions(database);
    if (states.some(({ status }) => status === 'error' || status === 'crashed'))
      throw new Error(JSON.stringify(states));
    return states.filter(({ status }) => status === 'success').length >= 2 ? states.length : undefined;
  });
  const seconds = Math.round((performance.now() - began) / 1_000);
  return `${succeeded} executions of 2 workflows: uploaded, event verified, INV-100 extracted (${seconds} s with the start)`;
}

function executions(file: string): { workflowId: string; status: string }[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare('SELECT workflowId, status FROM execution_entity').all() as never;
  } finally {
    database.close();
  }
}

async function until<Found>(what: string, look: () => Promise<Found | undefined | false>): Promise<Found> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    const found = await look();
    if (found) return found;
    await sleep(500);
  }
  throw new Error(`n8n did not get to ${what} within ${withinMs / 1_000} s.`);
}
