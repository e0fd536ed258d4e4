import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Document, DocumentEvent, Extraction, Run, RunEvent, Schedule, TurnAnswer } from '@docwright/contract';
import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { startRole, type RoleProcess } from './role-process.ts';

const count = 40;

it('two API and two worker processes on one embedded database continue if any of them is killed', async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-roles-'));
  const settings = { DATA_DIR: dataDir };
  const processes: RoleProcess[] = [];
  const start = async (role: 'api' | 'worker') => {
    const started = await startRole(role, settings);
    processes.push(started);
    return started;
  };
  try {
    // The first process starts the database, and is the one to be killed.
    const owner = await start('api');
    const [api, doomed, worker] = await Promise.all([start('api'), start('worker'), start('worker')]);
    expect(owner.output()).toContain('ROLE=api');
    const client = await register(owner);

    const files = Array.from({ length: count }, (_, number) => {
      const content = Buffer.from(`Invoice\nInvoice number: INV-${number}\nTotal: ${number}.50`).toString('base64');
      return { name: `invoice-${number}.txt`, content };
    });
    const { documents } = await client.post<{ documents: Document[] }>(owner, '/documents', { documents: files });
    const ids = documents.map(({ id }) => id);
    const last = ids.at(-1)!;
    // One process takes the upload, a worker reads it, a second API process streams it.
    for await (const event of client.events<DocumentEvent>(api, `/documents/${last}/events`)) {
      if (event.state === 'ocr_completed') break;
    }

    // One process takes the message, the other the decision, alternating.
    const chat = `/documents/${last}/chat`;
    let turn = await client.post<TurnAnswer>(owner, chat, {
      messages: [{ role: 'user', content: 'create a schema for this invoice and extract it' }],
    });
    for (let round = 0; turn.status === 'awaiting_approval'; round += 1) {
      const approvals = turn.tool_calls.map(({ id: call_id }) => ({ call_id, approved: true }));
      const body = { turn_id: turn.turn_id, approvals };
      turn = await client.post<TurnAnswer>(round % 2 === 0 ? api : owner, `${chat}/approve`, body);
    }
    expect(turn.status).toBe('completed');
    const { prompts } = await client.get<{ prompts: { prompt_id: string }[] }>(api, '/prompts');
    expect(prompts).toHaveLength(1);

    // Every document is read before the schedule is due.
    await expect
      .poll(async () => (await client.get<{ total_count: number }>(api, '/documents?state=uploaded')).total_count, poll)
      .toBe(0);
    const schedule = await client.post<Schedule>(owner, '/schedules', {
      name: 'Extract',
      every: '1d',
      action: 'run_extraction',
      prompt_id: prompts[0]!.prompt_id,
      filter: { without_result: false },
    });
    await withDatabase(dataDir, async (database) => {
      await database.collection('schedules').updateMany({}, { $set: { next_due_at: new Date() } });
    });
    const runs = `/schedules/${schedule.id}/runs`;
    await expect.poll(async () => (await client.get<{ total_count: number }>(api, runs)).total_count, poll).toBe(1);
    const [begun] = (await client.get<{ runs: Run[] }>(api, runs)).runs;

    let killed = 0;
    let done: Run | undefined;
    for await (const event of client.events<RunEvent>(api, `/runs/${begun!.id}/events`)) {
      if (event.type === 'done') done = event.run;
      if (event.type !== 'run' || event.run.succeeded === 0 || killed > 0) continue;
      killed = event.run.total - event.run.succeeded;
      await Promise.all([doomed.kill(), owner.kill()]);
    }
    expect(killed).toBeGreaterThan(0);
    expect(done).toMatchObject({ state: 'completed', trigger: 'due', total: count, succeeded: count, failed: 0 });
    expect((await client.get<{ total_count: number }>(api, runs)).total_count).toBe(1);

    await withDatabase(dataDir, async (database) => {
      const work = await database.collection('document_runs').find({}).toArray();
      expect(work.map(({ document_id }) => String(document_id)).toSorted()).toEqual(ids.toSorted());
      for (const { document_id, attempts } of work) {
        const { extractions } = await client.get<{ extractions: Extraction[] }>(
          api,
          `/documents/${String(document_id)}/extractions`,
        );
        // Once for each start; the last document had one from the chat before.
        const most = Number(attempts) + (String(document_id) === last ? 1 : 0);
        expect(extractions).toHaveLength(1);
        expect(extractions[0]!.version).toBeLessThanOrEqual(most);
      }
      expect(work.filter(({ attempts }) => attempts > 1).length).toBeLessThan(count / 2);
    });

    // The remaining processes still serve.
    const content = Buffer.from('Invoice\nInvoice number: INV-late').toString('base64');
    const late = await client.post<{ documents: Document[] }>(api, '/documents', {
      documents: [{ name: 'late.txt', content }],
    });
    for await (const event of client.events<DocumentEvent>(api, `/documents/${late.documents[0]!.id}/events`)) {
      if (event.state === 'ocr_completed') break;
    }
    const ready = await fetch(`${worker.url}/ready`);
    expect(ready.status).toBe(200);
    expect((await fetch(`${worker.url}/v0/me`)).status).toBe(404);
    expect([await api.end(), await worker.end()]).toEqual([0, 0]);
    await expect.poll(() => fs.existsSync(path.join(dataDir, 'database-server.json')), poll).toBe(false);
  } finally {
    await Promise.all(processes.map((one) => one.kill()));
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}, 180_000);

const poll = { timeout: 60_000, interval: 200 };

interface Client {
  get<Answer>(server: RoleProcess, route: string): Promise<Answer>;
  post<Answer>(server: RoleProcess, route: string, body: object): Promise<Answer>;
  events<Event>(server: RoleProcess, route: string): AsyncGenerator<Event>;
}

async function register(server: RoleProcess): Promise<Client> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  async function ask<Answer>(at: RoleProcess, route: string, body?: object): Promise<Answer> {
    const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${at.url}${route}`, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${route} answered ${response.status}: ${text}`);
    const answer: Answer = JSON.parse(text);
    return answer;
  }
  const person = { email: 'ann@example.com', name: 'Ann', password: 'correct horse battery' };
  const registered = await ask<{ access_token: string; organization: { id: string } }>(
    server,
    '/v0/auth/register',
    person,
  );
  headers['authorization'] = `Bearer ${registered.access_token}`;
  const base = `/v0/orgs/${registered.organization.id}`;
  return {
    get: (at, route) => ask(at, `${base}${route}`),
    post: (at, route, body) => ask(at, `${base}${route}`, body),
    async *events<Event>(at: RoleProcess, route: string) {
      const response = await fetch(`${at.url}${base}${route}`, { headers });
      let unread = '';
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        unread += chunk;
        const frames = unread.split('\n\n');
        unread = frames.pop() ?? '';
        for (const frame of frames) {
          const data = /^data: (.+)$/m.exec(frame)?.[1];
          if (data === undefined) continue;
          const event: Event = JSON.parse(data);
          yield event;
        }
      }
    },
  };
}

/** Reads the database without joining it, so that only the processes keep it running. */
async function withDatabase(dataDir: string, use: (database: ReturnType<MongoClient['db']>) => Promise<void>) {
  const { uri }: { uri: string } = JSON.parse(fs.readFileSync(path.join(dataDir, 'database-server.json'), 'utf8'));
  const connection = await MongoClient.connect(uri);
  try {
    await use(connection.db('docwright'));
  } finally {
    await connection.close();
  }
}
