/** A model that speaks Anthropic's protocol and thinks: it calls a tool with signed thinking, and says whether that came back. */
import http from 'node:http';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

export const thought = 'The person asks for tags, so I list them.';
const signature = 'c2lnbmVkIGJ5IHRoZSBtb2RlbCBpdHNlbGY=';

export const cameBack = 'The signed thinking came back whole.';

interface Block {
  type: string;
  thinking?: string;
  signature?: string;
}

/** Starts it on a free port. `seen` has the blocks of thinking of the last request. */
export async function startThinkingModel(): Promise<{ baseUrl: string; seen: Block[]; close: () => void }> {
  const seen: Block[] = [];
  const respond = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const { messages = [] } = (await json(request)) as { messages?: { content: string | Block[] }[] };
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    seen.splice(0, seen.length, ...blocks.filter(({ type }) => type === 'thinking'));
    const isAnswered = blocks.some(({ type }) => type === 'tool_result');
    const isWhole = seen.some((block) => block.thinking === thought && block.signature === signature);
    const events = isAnswered ? answer(isWhole ? cameBack : 'It was lost.') : callWithThinking();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
  };
  const server = http.createServer((request, response) => void respond(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { baseUrl: `http://127.0.0.1:${port}`, seen, close };
}

type Event = { type: string; [field: string]: unknown };

function message(stop_reason: string, blocks: Event[][]): Event[] {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const start = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [],
    stop_reason: null,
    usage,
  };
  return [
    { type: 'message_start', message: start },
    ...blocks.flat(),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
}

function block(index: number, content_block: object, deltas: object[]): Event[] {
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function callWithThinking(): Event[] {
  const pieces = thought.match(/.{1,12}/gu) ?? [];
  return message('tool_use', [
    block(0, { type: 'thinking', thinking: '', signature: '' }, [
      ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature },
    ]),
    block(1, { type: 'tool_use', id: 'toolu_1', name: 'list_tags', input: {} }, [
      { type: 'input_json_delta', partial_json: '{}' },
    ]),
  ]);
}

const answer = (text: string): Event[] =>
  message('end_turn', [block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text }])]);
