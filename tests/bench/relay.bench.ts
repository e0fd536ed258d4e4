import { spawn, type ChildProcess } from 'node:child_process';
import http from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';

/**
 * 200 streaming chats of 500 chunks each at the same time through one process, every event kept for replay, against a bare
 * Node pipe of the same bytes. Both stand in front of the same model, which answers as fast as it can; runs alternate.
 * At least .45 of the pipe's throughput.
 */

const streams = 200;
const chunks = 500;
const rounds = 7;

const children: ChildProcess[] = [];
try {
  await compare();
} finally {
  for (const child of children) child.kill('SIGTERM');
}

async function compare(): Promise<void> {
  const [modelPort] = await start('upstream-process.ts', String(chunks));
  const model = `http://127.0.0.1:${modelPort}/v1`;
  const [pipePort] = await start('pipe-process.ts', model);
  const [chatPort, chatPath = '', token = ''] = await start('chat-process.ts', model);
  const askPipe = () => ask(Number(pipePort), '/', '', 'data: [DONE]');
  const askChat = () => ask(Number(chatPort), chatPath, token, 'event: done');

  const ratios: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const pipeSeconds = await timed(askPipe);
    const chatSeconds = await timed(askChat);
    if (round < 0) continue;
    ratios.push(pipeSeconds / chatSeconds);
    const rate = (seconds: number) => `${Math.round((streams * chunks) / seconds).toLocaleString('en')} chunks/s`;
    console.log(
      `pipe ${rate(pipeSeconds)}, chat ${rate(chatSeconds)}, ratio ${(pipeSeconds / chatSeconds).toFixed(2)}`,
    );
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;
  console.log(`median ratio ${median.toFixed(2)} of at least .45, ${streams} streams of ${chunks} chunks`);
}

async function timed(once: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await Promise.all(Array.from({ length: streams }, once));
  return (performance.now() - begun) / 1000;
}

/** One request, read to its end; fails where the end is not the expected one. */
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

/** Answers the words that the process says when it listens. */
async function start(file: string, ...parameters: string[]): Promise<string[]> {
  const script = path.join(import.meta.dirname, 'relay', file);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface(child.stdout)) {
    const said = /^listening (.*)$/.exec(line)?.[1];
    if (said !== undefined) return said.split(' ');
  }
  throw new Error(`${file} ended before it listened`);
}
