import { childrenOf, cpuSeconds } from './cpu-seconds.ts';
import { size } from '../short/size.ts';
import { endProcesses, startProcess } from './start-process.ts';

/**
 * Processor milliseconds of the server and of the embedded database for one request, sent one after another: “Hi”, a chat
 * with one short answer, and a page of the list of documents. Goals on a quiet machine: 12 + 6 ms for “Hi”, 4 + 2 ms for
 * the list. Processor time says the same on a busy machine, a little more.
 */

const requests = size(300, 2);
const rounds = size(5, 1);
try {
  await measure();
} finally {
  endProcesses();
}

async function measure(): Promise<void> {
  const model = await startProcess('upstream-process.ts', '1');
  const { pid, words } = await startProcess('chat-process.ts', `http://127.0.0.1:${model.words[0]}/v1`);
  const [port, chat = '', token = ''] = words;
  const [database = 0] = childrenOf(pid);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const address = `http://127.0.0.1:${port}`;
  const list = chat.replace(/\/documents\/.*$/u, '/documents?limit=25');
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] });
  const asked = {
    Hi: () => fetch(`${address}${chat}`, { method: 'POST', headers, body }),
    list: () => fetch(`${address}${list}`, { headers }),
  };
  const rows: Record<string, Record<string, string>> = {};
  for (const [name, ask] of Object.entries(asked)) {
    const used: { server: number; database: number }[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const before = [cpuSeconds(pid) ?? 0, cpuSeconds(database) ?? 0];
      for (let count = 0; count < requests; count += 1) {
        const response = await ask();
        const text = await response.text();
        if (!response.ok) throw new Error(`${name} answered ${response.status}: ${text}`);
      }
      const perRequest = (which: number, at: number) =>
        (((cpuSeconds(at) ?? 0) - (before[which] ?? 0)) * 1000) / requests;
      // The first round warms up.
      if (round >= 0) used.push({ server: perRequest(0, pid), database: perRequest(1, database) });
    }
    const median = (of: 'server' | 'database') =>
      (used.map((round) => round[of]).toSorted((a, b) => a - b)[Math.floor(used.length / 2)] ?? 0).toFixed(1);
    rows[name] = { 'server ms': median('server'), 'database ms': median('database') };
  }
  console.table(rows);
}
