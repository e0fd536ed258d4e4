import http from 'node:http';
import { childrenOf, cpuSeconds } from './cpu-seconds.ts';
import { size } from '../short/size.ts';
import { endProcesses, startProcess } from './start-process.ts';

/**
 * 200 streaming chats at the same time through one process that stores every event for replay, compared with a bare Node pipe
 * of the same bytes. Both get their answers from the same model, which answers as fast as it can; runs alternate. Its 500 chunks come
 * together, so that a read holds many; or one by one as models send them, so that each is a read and a write.
 * Goal for pieces that come one by one: at least .60 of the pipe's throughput. On a busy machine, the share of its processor time says
 * more. Pieces that come together cost the pipe hardly anything, so that beginning and ending a turn bounds their share.
 */

const streams = size(200, 2);
const shapes = [
  { how: 'together', chunks: size(500, 5), rounds: size(7, 1) },
  { how: 'one by one', chunks: size(500, 5), rounds: size(3, 1), everyMs: 0, goal: ' of at least .60' },
];

for (const shape of shapes) {
  try {
    await compare(shape);
  } finally {
    endProcesses();
  }
}

async function compare({ how, chunks, rounds, everyMs, goal = '' }: (typeof shapes)[number]): Promise<void> {
  const pace = everyMs === undefined ? [] : [0, everyMs];
  const upstream = await startProcess('upstream-process.ts', ...[chunks, ...pace].map(String));
  const model = `http://127.0.0.1:${upstream.words[0]}/v1`;
  const pipe = await startProcess('pipe-process.ts', model);
  const chat = await startProcess('chat-process.ts', model);
  const [pipePort] = pipe.words;
  const [chatPort, chatPath = '', token = ''] = chat.words;
  const databases = childrenOf(chat.pid);
  const askPipe = () => ask(Number(pipePort), '/', '', 'data: [DONE]');
  const askChat = () => ask(Number(chatPort), chatPath, token, 'event: done');

  const ratios: number[] = [];
  const used: { pipe: number; chat: number; database: number }[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const before = [pipe.pid, chat.pid, ...databases].map(cpuSeconds);
    const pipeSeconds = await timed(askPipe);
    const chatSeconds = await timed(askChat);
    if (round < 0) continue;
    ratios.push(pipeSeconds / chatSeconds);
    const [ofPipe = 0, ofChat = 0, ofDatabase = 0] = [pipe.pid, chat.pid, ...databases].map(
      (pid, index) => (cpuSeconds(pid) ?? 0) - (before[index] ?? 0),
    );
    used.push({ pipe: ofPipe, chat: ofChat, database: ofDatabase });
    const rate = (seconds: number) => `${Math.round((streams * chunks) / seconds).toLocaleString('en')} chunks/s`;
    console.log(
      `pipe ${rate(pipeSeconds)}, chat ${rate(chatSeconds)}, ratio ${(pipeSeconds / chatSeconds).toFixed(2)}`,
    );
  }
  console.log(`median ratio ${medianOf(ratios)}${goal}, ${streams} streams of ${chunks} chunks that come ${how}`);
  const shares = used.map(({ pipe: ofPipe, chat: ofChat }) => ofPipe / ofChat);
  console.log(`the pipe's processor time is ${medianOf(shares)} of the chat's, without its database`);
  const seconds = (of: keyof (typeof used)[number]) => medianOf(used.map((round) => round[of]));
  console.log(
    `CPU seconds a round: the pipe ${seconds('pipe')}; the chat ${seconds('chat')} and its database ${seconds('database')}`,
  );
}

function medianOf(numbers: readonly number[]): string {
  return (numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0).toFixed(2);
}

async function timed(once: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: streams }, once));
  return (performance.now() - startedAt) / 1000;
}

/** Makes one request and reads it to its end. Throws if the end is not the expected one. */
function ask(port: number, route: string, bearer: string, ending: string): Promise<void> {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Say something long.' }], stream: true });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` };
  return new Promise((resolve, reject) => {
    const request = http.request({ port, path: route, method: 'POST', agent: false, headers }, (response) => {
      let tail = '';
      response.on('data', (chunk: Buffer) => {
        tail = (tail + chunk.subarray(-32_768).toString('latin1')).slice(-65_536);
      });
      response.on('end', () =>
        tail.includes(ending) ? resolve() : reject(new Error(`ended with ${tail.slice(-500)}`)),
      );
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}
