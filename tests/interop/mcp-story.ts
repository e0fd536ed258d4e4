/** The main story through the MCP client for TypeScript: its questions are answered as a user would answer them. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { invoice, type SignedInProduct } from '../sdk/signed-in-product.ts';

const properties = { invoice_number: { type: 'string' } };
const schema = { type: 'object', properties, required: ['invoice_number'], additionalProperties: false };
const response_format = { type: 'json_schema', json_schema: { name: 'invoice', schema, strict: true } };

/** Runs it. @throws Error if a tool fails or the invoice's number is not extracted */
export async function mcpStory({ url, token, client }: SignedInProduct): Promise<string> {
  const { id: document_id } = await client.documents.upload(invoice);
  await client.documents.waitForText(document_id);
  const mcp = new Client({ name: 'interop', version: '1' }, { capabilities: { elicitation: {} } });
  let approved = 0;
  mcp.setRequestHandler('elicitation/create', () => {
    approved += 1;
    return { action: 'accept', content: {} };
  });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await mcp.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
    const { content, isError } = await mcp.callTool({ name, arguments: { document_id, ...given } });
    const [first] = content;
    const answered = first?.type === 'text' ? first.text : '';
    if (isError === true) throw new Error(`${name}: ${answered}`);
    return JSON.parse(answered) as Record<string, unknown>;
  };
  try {
    const { schema_id } = await call('create_schema', { name: 'Invoice by MCP', response_format });
    const named = { name: 'Invoice by MCP', content: 'Extract the invoice number.' };
    const { prompt_revid } = await call('create_prompt', { ...named, schema_id });
    await call('run_extraction', { prompt_revid });
    const result = JSON.stringify(await call('get_extraction_result', { prompt_revid }));
    if (!result.includes('INV-100')) throw new Error(`No INV-100 was extracted: ${result}`);
    return `${approved} approved, INV-100 extracted`;
  } finally {
    await mcp.close();
  }
}
