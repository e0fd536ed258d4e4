import http from 'node:http';
import type { AddressInfo } from 'node:net';

interface SentMessage {
  role: string;
  content?: unknown;
}

interface Answer {
  text?: string;
  calls?: { name: string; args: object }[];
}

/** The state of a case. `hasTools` is false in an extraction; `last` is the last tool result. */
export interface ScriptContext {
  hasTools: boolean;
  /** The first matching prompt that the message shows. */
  shown: string | undefined;
  last: Record<string, string>;
  /** The user's last message, as JSON. */
  said: string;
}

/** The model's answer to a case, by the number of its answers with results so far. */
export type Script = (name: string, round: number, context: ScriptContext) => Answer;

export interface ModelServer {
  /** With `/v1`. */
  url: string;
  /** Awaited at the start and in the middle of an answer. */
  onAnswer: (name: string, round: number, moment: 'begun' | 'half') => void | Promise<void>;
  stop(): void;
}

/** An OpenAI-compatible server that follows a script. The user's last message names the case. */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => void answer(request, response, body));
  });

  async function answer(request: http.IncomingMessage, response: http.ServerResponse, body: string) {
    if (!request.url?.endsWith('/chat/completions')) {
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'scripted', object: 'model' }] }));
      return;
    }
    const { messages, tools = [] }: { messages: SentMessage[]; tools?: object[] } = JSON.parse(body);
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    const name = /case-[\w-]+/.exec(JSON.stringify(messages[asked]?.content))?.[0] ?? '';
    const round = messages.slice(asked).filter(({ role }) => role === 'assistant').length;
    const said = JSON.stringify(messages[asked]?.content) ?? '';
    const shown = /<kinds>.*?prompt_revid\W+([\da-f]{24})/su.exec(said)?.[1];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunks = chunksOf(
      script(name, round, { hasTools: tools.length > 0, shown, last: lastResult(messages), said }),
    );
    await model.onAnswer(name, round, 'begun');
    for (const [at, chunk] of chunks.entries()) {
      if (at === Math.floor(chunks.length / 2)) await model.onAnswer(name, round, 'half');
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    }
    response.end('data: [DONE]\n\n');
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const model: ModelServer = {
    url: `http://127.0.0.1:${port}/v1`,
    onAnswer: () => undefined,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return model;
}

function lastResult(messages: SentMessage[]): Record<string, string> {
  const content = messages.findLast(({ role }) => role === 'tool')?.content;
  const result: Record<string, string> =
    typeof content === 'string' && content.startsWith('{') ? JSON.parse(content) : {};
  return result;
}

function chunksOf(answer: Answer): object[] {
  const frame = (delta: object, finish_reason: string | null = null) => ({
    id: 'scripted',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const words = answer.text?.split(/(?<= )/u) ?? [];
  const said = words.map((content) => frame({ role: 'assistant', content }));
  if (answer.calls === undefined) return [...said, frame({}, 'stop')];
  const tool_calls = answer.calls.map(({ name, args }, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  return [...said, frame({ role: 'assistant', tool_calls }), frame({}, 'tool_calls')];
}
