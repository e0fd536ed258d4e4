import type { TurnAnswer } from '@docwright/contract';
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { decideAll, startChatTestBench, type ChatTestBench } from './chat-test-bench.ts';
import { startJobs } from '../process/start-jobs.ts';
import type { TestClient } from './test-client.ts';

export type Revision = 'earlier' | '2026-07-28';

interface ConnectOptions {
  /** The user's answer to elicitations; without it, the client does not support them. */
  answer?: (message: string) => Promise<'accept' | 'decline' | 'cancel'> | 'accept' | 'decline' | 'cancel';
  revision?: Revision;
  headers?: Record<string, string>;
  /** The addresses that take requests in turn; by default the bench's. */
  addresses?: readonly string[];
}

/** A tool result as the client sees it. */
interface ToolAnswer {
  isError: boolean;
  value: Record<string, unknown>;
  /** The turn that ran it, if any. */
  turn?: { turn_id: string; document_id: string; thread_id: string };
}

interface McpClient {
  client: Client;
  call: (name: string, args?: Record<string, unknown>) => Promise<ToolAnswer>;
  /** The messages of the elicitations. */
  questions: string[];
}

export interface McpTestBench extends ChatTestBench {
  /** Connects the SDK's client, signed in as this user. */
  connect(user: TestClient, options?: ConnectOptions): Promise<McpClient>;
  /** Decides the pending calls of a turn, as the user does on the approval card. */
  decide(user: TestClient, documentId: string, turnId: string, approved: boolean): Promise<TurnAnswer>;
}

export async function startMcpTestBench(...settings: Parameters<typeof startChatTestBench>): Promise<McpTestBench> {
  const bench = await startChatTestBench(...settings);
  // A job reads the texts of uploads.
  await startJobs(bench.services);
  const clients: Client[] = [];
  return {
    ...bench,
    async connect(user, options = {}) {
      const connected = await connectMcp(bench.address, user, options);
      clients.push(connected.client);
      return connected;
    },
    async decide(user, documentId, turnId, approved) {
      const chat = `./documents/${documentId}/chat`;
      const { body } = await user.get<TurnAnswer>(`${chat}/turns/${turnId}`);
      return (await user.post<TurnAnswer>(`${chat}/approve`, decideAll(body, approved))).body;
    },
    async stop() {
      await Promise.all(clients.map((client) => client.close()));
      await bench.stop();
    },
  };
}

/** Connects the SDK's client to a server, signed in as this user. The caller closes it. */
export async function connectMcp(
  address: string,
  user: TestClient,
  { answer, revision = 'earlier', headers = {}, addresses = [address] }: ConnectOptions = {},
): Promise<McpClient> {
  const questions: string[] = [];
  const client = new Client(
    { name: 'claude-code', title: 'Claude Code', version: '1' },
    {
      capabilities: answer ? { elicitation: {} } : {},
      versionNegotiation: { mode: revision === 'earlier' ? 'legacy' : { pin: revision } },
    },
  );
  if (answer) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params.message);
      const action = await answer(params.message);
      return action === 'accept' ? { action, content: {} } : { action };
    });
  }
  const authorization = `Bearer ${user.accessToken}`;
  let requests = 0;
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${address}/mcp`), {
      requestInit: { headers: { authorization, 'x-org-id': user.organizationId, ...headers } },
      fetch: (url, init) => fetch(new URL(new URL(url).pathname, addresses[requests++ % addresses.length]), init),
    }),
  );
  return {
    client,
    questions,
    call: async (name, args = {}) => answerOf(await client.callTool({ name, arguments: args })),
  };
}

function answerOf(result: CallToolResult): ToolAnswer {
  const turn = result._meta?.['docwright/turn'] as ToolAnswer['turn'];
  const value = result.structuredContent as Record<string, unknown>;
  return { isError: result.isError === true, value, ...(turn && { turn }) };
}
