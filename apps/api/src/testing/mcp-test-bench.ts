import type { TurnAnswer } from '@docwright/contract';
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { decideAll, startChatTestBench, type ChatTestBench } from './chat-test-bench.ts';
import { startJobs } from '../process/start-jobs.ts';
import type { TestClient } from './test-client.ts';

export type Revision = 'earlier' | '2026-07-28';

interface ConnectOptions {
  /** What the person answers when they are asked; without it the client cannot ask. */
  answer?: (message: string) => Promise<'accept' | 'decline' | 'cancel'> | 'accept' | 'decline' | 'cancel';
  revision?: Revision;
  headers?: Record<string, string>;
  /** Where each request goes, in turn; to the bench itself where it is left out. */
  addresses?: readonly string[];
}

/** What a call came to, as a client sees it. */
interface ToolAnswer {
  isError: boolean;
  value: Record<string, unknown>;
  /** The turn in which it was run, where there is one. */
  turn?: { turn_id: string; document_id: string; thread_id: string };
}

interface McpClient {
  client: Client;
  call: (name: string, args?: Record<string, unknown>) => Promise<ToolAnswer>;
  /** What the person was asked. */
  asked: string[];
}

export interface McpTestBench extends ChatTestBench {
  /** The SDK's client, signed in as that person. */
  connect(person: TestClient, options?: ConnectOptions): Promise<McpClient>;
  /** As the person does on the waiting card. */
  decide(person: TestClient, documentId: string, turnId: string, approved: boolean): Promise<TurnAnswer>;
}

export async function startMcpTestBench(...settings: Parameters<typeof startChatTestBench>): Promise<McpTestBench> {
  const bench = await startChatTestBench(...settings);
  // Texts are read by a job.
  await startJobs(bench.services);
  const clients: Client[] = [];
  return {
    ...bench,
    async connect(person, { answer, revision = 'earlier', headers = {}, addresses = [bench.address] } = {}) {
      const asked: string[] = [];
      const client = new Client(
        { name: 'claude-code', title: 'Claude Code', version: '1' },
        {
          capabilities: answer ? { elicitation: {} } : {},
          versionNegotiation: { mode: revision === 'earlier' ? 'legacy' : { pin: revision } },
        },
      );
      if (answer) {
        client.setRequestHandler('elicitation/create', async ({ params }) => {
          asked.push(params.message);
          const action = await answer(params.message);
          return action === 'accept' ? { action, content: {} } : { action };
        });
      }
      const authorization = `Bearer ${person.accessToken}`;
      let requests = 0;
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${bench.address}/mcp`), {
          requestInit: { headers: { authorization, 'x-org-id': person.organizationId, ...headers } },
          fetch: (url, init) => fetch(new URL(new URL(url).pathname, addresses[requests++ % addresses.length]), init),
        }),
      );
      clients.push(client);
      return {
        client,
        asked,
        call: async (name, args = {}) => answerOf(await client.callTool({ name, arguments: args })),
      };
    },
    async decide(person, documentId, turnId, approved) {
      const chat = `./documents/${documentId}/chat`;
      const { body } = await person.get<TurnAnswer>(`${chat}/turns/${turnId}`);
      return (await person.post<TurnAnswer>(`${chat}/approve`, decideAll(body, approved))).body;
    },
    async stop() {
      await Promise.all(clients.map((client) => client.close()));
      await bench.stop();
    },
  };
}

function answerOf(result: CallToolResult): ToolAnswer {
  const turn = result._meta?.['docwright/turn'] as ToolAnswer['turn'];
  const value = result.structuredContent as Record<string, unknown>;
  return { isError: result.isError === true, value, ...(turn && { turn }) };
}
