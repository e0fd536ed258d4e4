import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AgentConversation, AgentMessageAnswer, Collection, Source } from '@docwright/contract';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { expect, it } from 'vitest';
import { openDatabaseGate } from './database-gate.ts';
import { startServer, type KillableServer } from './killable-server.ts';
import { startModelServer } from './scripted-model-server.ts';
import { registerClient, type ServerClient } from './server-client.ts';

const pipeline = { parsers: [{ extensions: ['*'], plugin_id: 'plain' }], chunker: { plugin_id: 'page' } };
const calling = (name: string, args: object = {}) => ({ calls: [{ name, args }] });

/** The answers by case and round; a finished case ends with a text. */
const answers: Record<string, object[]> = {
  'case-words': [calling('build_pipeline', pipeline), { text: 'It is built and now I explain it' }],
  'case-stopped': [{ text: 'I shall build something else' }],
  'case-looks': [calling('spawn_source_analyzer', { focus: 'case-analyzer' })],
  'case-analyzer': [calling('enumerate_files'), { text: 'Nothing comes of this' }],
};
/** An answer that the model never finishes. */
const hangs: Record<string, number> = { 'case-stopped': 0, 'case-words': 1, 'case-analyzer': 1 };

it('a conversation continues after its server was killed in the middle of a message', async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-kill-conversation-'));
  const model = await startModelServer((name, round) => answers[name]?.[round] ?? { text: `Here I am for ${name}.` });
  const database = await startEmbeddedMongo({ dataDir });
  const gate = await openDatabaseGate(database.uri);
  const settings = {
    DATA_DIR: dataDir,
    MONGODB_URI: gate.uri,
    APP_SECRET: 'a secret for this test alone',
    LLM_BASE_URL: model.url,
    LLM_MODEL: 'scripted',
    ROLE: 'api',
  };
  let server = await startServer(settings);
  try {
    const client = await registerClient(server, 'builder');
    const headers = { 'x-org-id': client.organization.split('/').at(-1)!, accept: 'application/json' };
    const conversation = talk(client, headers);
    const source = await conversation.post<Source>(server, '/api/v2/sources', { name: 'All' });
    const begun = await conversation.post<{ id: string }>(server, conversations, { source_id: source.id });
    const place = `${conversations}/${begun.id}`;
    const look = () => conversation.get<AgentConversation>(server, place);
    model.onAnswer = (name, round, moment) =>
      hangs[name] === round && moment === 'half' ? new Promise<void>(() => undefined) : undefined;

    // Answered in one process, seen and stopped from another.
    const other = await startServer(settings);
    const stopped = conversation.post<AgentMessageAnswer>(server, `${place}/messages`, { message: 'case-stopped' });
    const seen = () => conversation.get<AgentConversation>(other, place);
    await expect.poll(async () => (await seen()).progress?.text, { timeout: 30_000 }).toContain('I shall');
    expect(await conversation.post<AgentConversation>(other, `${place}/stop`, {})).toMatchObject({
      is_running: false,
      messages: [{ role: 'user' }, { content: expect.stringMatching(/^I shall.*You stopped me here/su) }],
    });
    expect((await stopped).text).toContain('You stopped me here');
    await other.end();

    async function killWhen(message: string, exists: (conversation: AgentConversation) => boolean) {
      const left = conversation.post(server, `${place}/messages`, { message }).catch(() => undefined);
      await expect.poll(async () => exists(await look()), { timeout: 30_000, interval: 100 }).toBe(true);
      await server.kill();
      await left;
      server = await startServer(settings);
    }

    await killWhen('case-words', ({ progress }) => progress?.text.includes('built') === true);
    // After every kill the conversation is free at the first try and reports the interruption.
    const words = await conversation.post<AgentMessageAnswer>(server, `${place}/messages`, { message: 'case-one' });
    expect(words.text).toBe('Here I am for case-one.');
    expect(await look()).toMatchObject({
      is_running: false,
      status: 'active',
      current_pipeline: { chunker: { plugin_id: 'page' } },
      messages: [
        { role: 'user', content: 'case-stopped' },
        { role: 'assistant' },
        { role: 'user', content: 'case-words' },
        {
          role: 'assistant',
          content: expect.stringMatching(/^It is built and\s+The server ended while I was answering/su),
          tool_calls: [{ tool_name: 'build_pipeline', result: { current_pipeline: expect.anything() } }],
        },
        { role: 'user', content: 'case-one' },
        { role: 'assistant' },
      ],
    });

    await killWhen('case-looks', ({ progress }) => progress?.subagents[0]?.steps.includes('Counts the files') === true);
    // Reading it is enough.
    expect(await look()).toMatchObject({
      is_running: false,
      progress: null,
      current_pipeline: { chunker: { plugin_id: 'page' } },
    });
    expect((await look()).messages.slice(6)).toMatchObject([
      { role: 'user', content: 'case-looks' },
      {
        content: expect.stringContaining('The server ended'),
        tool_calls: [{ tool_name: 'spawn_source_analyzer', result: { error: expect.any(String) } }],
      },
    ]);
    const looks = await conversation.post<AgentMessageAnswer>(server, `${place}/messages`, { message: 'case-two' });
    expect(looks.text).toBe('Here I am for case-two.');

    // The collection exists, but the conversation does not refer to it.
    const held = gate.holdBack('agent_conversations', 'applied');
    const applying = conversation.post(server, `${place}/apply`, { collection_name: 'One' }).catch(() => undefined);
    await held;
    await server.kill();
    await applying;
    server = await startServer(settings);
    expect(await look()).toMatchObject({ is_running: false, status: 'active', collection_id: null });
    const applied = await conversation.post<{ collection_id: string }>(server, `${place}/apply`, {
      collection_name: 'One',
    });
    const { collections } = await conversation.get<{ collections: Collection[] }>(server, '/api/v2/collections');
    expect(collections).toMatchObject([{ id: applied.collection_id, name: 'One' }]);
    expect(await look()).toMatchObject({ status: 'applied', collection_id: applied.collection_id });
  } finally {
    await server.kill();
    gate.stop();
    await database.stop();
    model.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}, 180_000);

const conversations = '/api/v2/agent/conversations';

/** Requests with the organization in a header; throws if refused. */
function talk(client: ServerClient, headers: Record<string, string>) {
  async function answerOf<Answer>(server: KillableServer, route: string, body?: object): Promise<Answer> {
    const response = await client.ask(server, route, body, headers);
    const text = await response.text();
    if (!response.ok) throw new Error(`${route} answered ${response.status}: ${text}`);
    const answer: Answer = JSON.parse(text);
    return answer;
  }
  return { get: answerOf, post: answerOf };
}
