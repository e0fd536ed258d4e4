import path from 'node:path';
import { Client, type CallToolResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { password, root, runDocwright, startSignedInProduct, type SignedInProduct } from './signed-in-product.ts';

let product: SignedInProduct;
let documentId: string;
beforeAll(async () => {
  product = await startSignedInProduct();
  documentId = (await product.client.documents.upload({ name: 'note.txt', content: 'Total: 5' })).id;
  await product.client.documents.waitForText(documentId);
  const end = await product.spawnDocwright(['login', product.url, '--email', product.email, '--password-stdin'], {
    input: `${password}\n`,
  });
  expect(end.code, end.stderr).toBe(0);
});
afterAll(async () => product.stop());

/** The client of the MCP SDK, which starts the command as Claude Code or Cursor does. */
async function connect(mode: 'legacy' | { pin: string }, answer?: 'accept' | 'decline') {
  const client = new Client(
    { name: 'cursor', version: '1' },
    { capabilities: answer ? { elicitation: {} } : {}, versionNegotiation: { mode } },
  );
  if (answer) client.setRequestHandler('elicitation/create', () => ({ action: answer, content: {} }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [path.join(root, 'packages/sdk/bin/docwright.mjs'), 'mcp'],
    env: { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: product.folder },
    stderr: 'pipe',
  });
  await client.connect(transport);
  return client;
}

const valueOf = ({ structuredContent }: CallToolResult) => structuredContent as Record<string, unknown>;

test.each(['legacy' as const, { pin: '2026-07-28' }])(
  'carries the tools and the questions between (%o)',
  async (mode) => {
    const client = await connect(mode, 'accept');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['get_ocr_text', 'create_tag', 'add_task']));
    const read = await client.callTool({ name: 'get_ocr_text', arguments: { document_id: documentId } });
    expect(valueOf(read)).toMatchObject({ pages: [{ text: expect.stringContaining('Total: 5') }] });
    const name = `over stdio, ${JSON.stringify(mode)}`;
    const write = await client.callTool({ name: 'create_tag', arguments: { document_id: documentId, name } });
    expect(valueOf(write)).toMatchObject({ name });
    expect((await product.client.tags.list()).tags.map((tag) => tag.name)).toContain(name);
    await client.close();
  },
);

test('returns the link of a pending write if the client cannot ask', async () => {
  const client = await connect('legacy');
  const write = await client.callTool({ name: 'create_tag', arguments: { document_id: documentId, name: 'waits' } });
  const link = expect.stringContaining(`${product.url}/documents/${documentId}?tab=agent&thread=`);
  expect(valueOf(write)).toMatchObject({ status: 'awaiting_approval', link });
  await client.close();
});

test('prints the configuration of a client, without a secret', async () => {
  const end = await product.spawnDocwright(['mcp', '--print-config']);
  const { mcpServers } = JSON.parse(end.stdout) as { mcpServers: Record<string, { command: string; args: string[] }> };
  expect(mcpServers['docwright']).toMatchObject({ command: process.execPath, args: expect.arrayContaining(['mcp']) });
  expect(end.stdout).not.toContain('dw_');
});

test('answers a request with a readable error if the server does not answer', async () => {
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' })}\n`;
  const stranger = { DOCWRIGHT_URL: product.url, DOCWRIGHT_TOKEN: 'dw_unheard-of', XDG_CONFIG_HOME: product.folder };
  const refused = await answerTo(input, stranger);
  expect(refused).toMatchObject({ id: 7, error: { message: expect.stringContaining('docwright login') } });
  const nowhere = await answerTo(input, { ...stranger, DOCWRIGHT_URL: 'http://127.0.0.1:9' });
  expect(nowhere).toMatchObject({ id: 7, error: { message: expect.stringContaining('was not reached') } });
});

/** The only line that the command prints; its input stays open until then. */
async function answerTo(input: string, env: Record<string, string>): Promise<unknown> {
  const end = await runDocwright(['mcp'], {
    input,
    keepInputOpen: true,
    env,
    watch: (output, child) => void (output.includes('\n') && child.kill('SIGINT')),
  });
  return JSON.parse(end.stdout);
}
