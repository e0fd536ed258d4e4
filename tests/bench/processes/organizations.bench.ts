import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, cpuSeconds } from './cpu-seconds.ts';
import { size } from '../short/size.ts';
import { endProcesses, startProcess } from './start-process.ts';

/**
 * How long one organization waits while another one sends 200 requests at once, over and over: pages of the list of documents, or
 * chats with one short answer. Both are also measured alone. Milliseconds until the whole answer, and processor milliseconds of
 * server and database for a request of the noisy organization.
 */

const atOnce = size(200, 2);
const rounds = size(10, 1);
const asked = size(60, 2);
try {
  await measure();
} finally {
  endProcesses();
}

async function measure(): Promise<void> {
  const model = await startProcess('upstream-process.ts', '1');
  const { pid, words } = await startProcess('chat-process.ts', `http://127.0.0.1:${model.words[0]}/v1`);
  const [port, loudChat = '', loudToken = '', calmChat = '', calmToken = ''] = words;
  const processes = [pid, ...childrenOf(pid)];
  const address = `http://127.0.0.1:${port}`;
  const requestsOf = (chat: string, token: string): Record<string, () => Promise<void>> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] });
    const list = chat.replace(/\/documents\/.*$/u, '/documents?limit=25');
    return {
      list: () => read(fetch(`${address}${list}`, { headers })),
      chat: () => read(fetch(`${address}${chat}`, { method: 'POST', headers, body })),
    };
  };
  const loud = requestsOf(loudChat, loudToken);
  const calm = requestsOf(calmChat, calmToken);
  const rows: Record<string, Record<string, number>> = {};
  for (const [name, ask] of [...Object.entries(loud), ...Object.entries(calm)]) {
    for (let count = 0; count < size(100, 1); count += 1) await ask();
    rows[`${name} alone`] = percentiles(await timesOf(calm[name]!, () => false));
  }
  for (const [noise, ask] of Object.entries(loud)) {
    for (const [name, calmly] of Object.entries(calm)) {
      let isOver = false;
      const before = processes.map((each) => cpuSeconds(each) ?? 0);
      const noisy = (async () => {
        const begun = performance.now();
        for (let round = 0; round < rounds; round += 1) await Promise.all(Array.from({ length: atOnce }, ask));
        isOver = true;
        return (performance.now() - begun) / 1000;
      })();
      const times = await timesOf(calmly, () => isOver);
      const seconds = await noisy;
      const used = processes.map((each, at) => (((cpuSeconds(each) ?? 0) - before[at]!) * 1000) / (atOnce * rounds));
      rows[`${name} beside ${atOnce} at once: ${noise}`] = {
        ...percentiles(times),
        'noisy a second': Math.round((atOnce * rounds) / seconds),
        'server ms': Math.round(used[0]! * 100) / 100,
        'database ms': Math.round((used[1] ?? 0) * 100) / 100,
      };
    }
  }
  console.table(rows);
}

async function read(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
}

async function timesOf(ask: () => Promise<void>, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < asked && !isOver(); count += 1) {
    const begun = performance.now();
    await ask();
    times.push(performance.now() - begun);
    await sleep(20);
  }
  return times;
}

function percentiles(times: readonly number[]): Record<string, number> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { asked: sorted.length, median: at(0.5), p95: at(0.95) };
}
