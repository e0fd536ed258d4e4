import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { size } from '../short/size.ts';
import { endProcesses, startProcess } from './start-process.ts';

/**
 * The milliseconds until the first text of 200 chats, and of 200 requests to a bare pipe of the same bytes. The model sends its
 * first word after 300 ms and 50 more, one each 20 ms. The chats begin one after the other within four seconds, or all at once;
 * rounds of pipe and chat alternate. Goal: at most 2.5 times the pipe's.
 */

const streams = size(200, 2);
const rounds = size(5, 1);
const [words, firstMs, everyMs] = [size(50, 2), size(300, 1), size(20, 1)];

try {
  await compare();
} finally {
  endProcesses();
}

async function compare(): Promise<void> {
  const upstream = await startProcess('upstream-process.ts', ...[words, firstMs, everyMs].map(String));
  const model = `http://127.0.0.1:${upstream.words[0]}/v1`;
  const pipe = await startProcess('pipe-process.ts', model);
  const chat = await startProcess('chat-process.ts', model);
  const [chatPort, chatPath = '', token = ''] = chat.words;
  const askPipe = () => firstText(Number(pipe.words[0]), '/', '', 'data: ');
  const askChat = () => firstText(Number(chatPort), chatPath, token, 'event: assistant_text_chunk');
  for (const [how, betweenMs] of [
    ['within four seconds', size(20, 1)],
    ['at once', 0],
  ] as const) {
    const ratios: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const piped = await timesOf(askPipe, betweenMs);
      const chatted = await timesOf(askChat, betweenMs);
      if (round < 0) continue;
      ratios.push(at(chatted, 0.5) / at(piped, 0.5));
      const text = (times: number[]) =>
        `median ${Math.round(at(times, 0.5))} ms, p95 ${Math.round(at(times, 0.95))} ms`;
      console.log(`${how}: pipe ${text(piped)}; chat ${text(chatted)}`);
    }
    console.log(`${streams} chats ${how}: median ratio ${at(ratios, 0.5).toFixed(2)} of at most 2.5`);
  }
}

async function timesOf(ask: () => Promise<number>, betweenMs: number): Promise<number[]> {
  const all: Promise<number>[] = [];
  for (let count = 0; count < streams; count += 1) {
    all.push(ask());
    if (betweenMs > 0) await sleep(betweenMs);
  }
  return await Promise.all(all);
}

/** Makes one request and reads it to its end. Resolves with the milliseconds until the text that marks the first word. */
function firstText(port: number, route: string, bearer: string, mark: string): Promise<number> {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Say something long.' }], stream: true });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` };
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request({ port, path: route, method: 'POST', agent: false, headers }, (response) => {
      let text = '';
      let first: number | undefined;
      response.on('data', (chunk: Buffer) => {
        if (first !== undefined) return;
        text += chunk.toString('latin1');
        if (text.includes(mark)) first = performance.now() - begun;
      });
      response.on('end', () =>
        first === undefined ? reject(new Error(`ended with ${text.slice(-500)}`)) : resolve(first),
      );
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

function at(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? 0;
}
