import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Thread, TurnAnswer } from '@docwright/contract';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { expect, it } from 'vitest';
import { startServer } from './killable-server.ts';
import { startModelServer } from './scripted-model-server.ts';
import { registerClient } from './server-client.ts';

/** A user can start 60 turns a minute, decisions included. */
const decisionsEach = 10;

function script(name: string, round: number) {
  if (round > 0) return { text: `It is there for ${name}.` };
  return { calls: ['one', 'two'].map((which) => ({ name: 'create_tag', args: { name: `${name}-${which}` } })) };
}

it('runs a batch once if two processes decide it at the same time, also with different decisions', async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-two-'));
  const model = await startModelServer(script);
  const database = await startEmbeddedMongo({ dataDir });
  const settings = {
    DATA_DIR: dataDir,
    MONGODB_URI: database.uri,
    APP_SECRET: 'a secret for this test alone',
    LLM_BASE_URL: model.url,
    LLM_MODEL: 'scripted',
    ROLE: 'api',
  };
  // The first one reads the document, since a message waits for its text.
  const servers = [await startServer({ ...settings, ROLE: 'all' }), await startServer(settings)] as const;
  try {
    const client = await registerClient(servers[0], 'two');
    for (const name of ['case-same', 'case-mixed']) {
      const messages = [{ role: 'user', content: `Do ${name}.` }];
      const waiting = await client.post<TurnAnswer>(servers[0], client.chat, { messages });
      const approvals = (approved: boolean) => waiting.tool_calls.map(({ id: call_id }) => ({ call_id, approved }));
      const isMixed = name === 'case-mixed';
      const answers = await Promise.all(
        Array.from({ length: decisionsEach * 2 }, async (_, at) => {
          const body = { turn_id: waiting.turn_id, approvals: approvals(!isMixed || at % 4 < 2) };
          const response = await client.ask(servers[at % 2 === 0 ? 0 : 1], `${client.chat}/approve`, body);
          return { status: response.status, text: await response.text() };
        }),
      );
      const taken = answers.filter(({ status }) => status === 200);
      expect(taken.length).toBeGreaterThanOrEqual(isMixed ? decisionsEach - 1 : decisionsEach * 2);
      expect(new Set(taken.map(({ text }) => text)).size).toBe(1);
      const others = answers.filter(({ status }) => status !== 200);
      expect(others.every(({ status, text }) => status === 409 && text.includes('already_decided'))).toBe(true);

      const answer: TurnAnswer = JSON.parse(taken[0]!.text);
      const calls = answer.executed_rounds[0]!.tool_calls;
      const list = `${client.organization}/tags?name_search=${name}-`;
      const { total_count } = await client.get<{ total_count: number }>(servers[1], list);
      expect(total_count).toBe(calls.filter(({ success }) => success).length);
      const { messages: stored } = await client.get<Thread>(servers[1], `${client.chat}/threads/${answer.thread_id}`);
      expect(stored.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
      const audit = `${client.organization}/audit?turn_id=${answer.turn_id}`;
      const { entries } = await client.get<{ entries: { kind: string }[] }>(servers[0], audit);
      expect(entries.filter(({ kind }) => kind === 'decided')).toHaveLength(2);
    }
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    await database.stop();
    model.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}, 60_000);
