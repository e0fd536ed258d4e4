import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TurnEvent } from '@docwright/contract';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { expect, it } from 'vitest';
import { startServer } from './killable-server.ts';
import { startModelServer } from './scripted-model-server.ts';
import { registerClient } from './server-client.ts';

const stopping = /retry: \d{3,4}\nevent: stopping\ndata: \{"type":"stopping"\}\n\n$/u;

it('a process that stops tells its open streams, and another one goes on with their turns', async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-told-'));
  const model = await startModelServer((name) => ({ text: `I look at it, and I am done with ${name}.` }));
  const database = await startEmbeddedMongo({ dataDir });
  const settings = {
    DATA_DIR: dataDir,
    MONGODB_URI: database.uri,
    APP_SECRET: 'a secret for this test alone',
    LLM_BASE_URL: model.url,
    LLM_MODEL: 'scripted',
  };
  const [leaving, staying] = [await startServer(settings), await startServer(settings)];
  try {
    const client = await registerClient(leaving, 'told');
    let isFirst = true;
    model.onAnswer = async (_name, _round, moment) => {
      if (moment === 'half' && isFirst) {
        isFirst = false;
        await new Promise<void>(() => undefined);
      }
    };
    const body = { messages: [{ role: 'user', content: 'case-long' }], stream: true };
    const open = [
      await client.ask(leaving, client.chat, body),
      await client.ask(leaving, `${client.organization}/documents/${client.documentId}/events`),
    ].map(({ body: stream }) => reading(stream!));
    await open[0]!.until('assistant_text_chunk');
    await open[1]!.until('event: state');
    await leaving.end();
    for (const stream of open) expect(await stream.rest()).toMatch(stopping);

    const { type, turn_id } = eventsOf(await open[0]!.rest())[0] as Extract<TurnEvent, { type: 'turn_started' }>;
    expect(type).toBe('turn_started');
    const resumed = await client.ask(staying, `${client.chat}/turns/${turn_id}/events`);
    const last = eventsOf(await resumed.text()).at(-1);
    expect(last).toMatchObject({
      type: 'done',
      result: { status: 'completed', text: expect.stringContaining('done with case-long') },
    });
  } finally {
    await Promise.all([leaving, staying].map((server) => server.kill()));
    await database.stop();
    model.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
});

/** What a stream has sent. */
function reading(stream: ReadableStream<Uint8Array>) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  async function read(isEnough: () => boolean): Promise<string> {
    while (!isEnough()) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
    }
    return text;
  }
  return { until: (part: string) => read(() => text.includes(part)), rest: () => read(() => false) };
}

const eventsOf = (frames: string): TurnEvent[] =>
  [...frames.matchAll(/^data: (.+)$/gmu)].map(([, data]) => JSON.parse(data!) as TurnEvent);
