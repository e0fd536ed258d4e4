import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Document, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decideAll, userMessage } from '../testing/chat-test-bench.ts';
import { linesOf, logCommands, type LoggedCommand } from '../testing/database-use/command-log.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

let app: TestApp;
let model: Server;
/** What the model answers next, before it answers with a word. */
let answers: object[] = [];

beforeAll(async () => {
  model = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method === 'GET') return response.end(JSON.stringify({ object: 'list', data: [{ id: 'a-model' }] }));
      const delta = answers.shift() ?? { content: 'Hello.' };
      const finish_reason = 'tool_calls' in delta ? 'tool_calls' : 'stop';
      const usage = { prompt_tokens: 200, completion_tokens: 5, total_tokens: 205 };
      const chunks = [{ choices: [{ index: 0, delta, finish_reason }] }, { choices: [], usage }];
      response.setHeader('content-type', 'text/event-stream');
      return response.end(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`);
    });
  });
  await new Promise<void>((listening) => void model.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  app = await startTestApp({ llmEndpoint: { baseUrl, apiKey: undefined, model: 'a-model' } });
});

afterAll(async () => {
  await app.stop();
  model.close();
});

async function upload(name: string): Promise<Document> {
  const content = Buffer.from(`Invoice ${name}\nTotal: 5`).toString('base64');
  const { body } = await app.admin.post<{ documents: Document[] }>('./documents', { documents: [{ name, content }] });
  return body.documents[0]!;
}

async function readDocument(name: string): Promise<string> {
  const { id } = await upload(name);
  await app.services.documents.textReading.readAll(new AbortController().signal);
  return id;
}

/** What is sent at fixed times, whatever is requested: polls, and renewals of leases. */
const isTimed = ({ callers }: LoggedCommand) =>
  callers.some((caller) => /\b(?:orphanedTurns|renew\w*|tick|poll)$/u.test(caller));

const ofRequest = (commands: readonly LoggedCommand[]) => commands.filter((command) => !isTimed(command));

/** The commands of the second of two requests: the first one fills what the process keeps. */
async function commandsOf(request: () => Promise<unknown>): Promise<LoggedCommand[]> {
  await request();
  const log = logCommands(app.connection);
  await request();
  // What is written after the answer.
  await setTimeout(100);
  log.stop();
  return ofRequest(log.commands);
}

/** Fails with the list of the commands. */
function expectAtMost(most: number, commands: readonly LoggedCommand[]): void {
  expect(commands.length, linesOf(commands)).toBeLessThanOrEqual(most);
}

test('a chat with one short answer', async () => {
  const id = await readDocument('hi.txt');
  const commands = await commandsOf(async () => {
    const { status } = await app.admin.post<TurnAnswer>(`./documents/${id}/chat`, userMessage('Hi'));
    expect(status).toBe(200);
  });
  expectAtMost(9, commands);
});

test('an approval of one call', async () => {
  const id = await readDocument('approval.txt');
  const ask = async (name: string) => {
    const call = { index: 0, id: name, type: 'function' };
    answers = [{ tool_calls: [{ ...call, function: { name: 'create_tag', arguments: JSON.stringify({ name }) } }] }];
    return (await app.admin.post<TurnAnswer>(`./documents/${id}/chat`, userMessage('Tag it'))).body;
  };
  const turns = [await ask('first'), await ask('second')];
  const commands = await commandsOf(async () => {
    const { body } = await app.admin.post<TurnAnswer>(
      `./documents/${id}/chat/approve`,
      decideAll(turns.shift()!, true),
    );
    expect(body.status).toBe('completed');
  });
  expectAtMost(19, commands);
});

test('an upload', async () => {
  let count = 0;
  expectAtMost(10, await commandsOf(() => upload(`upload-${(count += 1)}.txt`)));
});

test('the reading of an uploaded text', async () => {
  await readDocument('first.txt');
  await upload('second.txt');
  const log = logCommands(app.connection);
  await app.services.documents.textReading.readAll(new AbortController().signal);
  log.stop();
  expectAtMost(16, ofRequest(log.commands));
});

test('a page of the list of documents', async () => {
  expectAtMost(5, await commandsOf(() => app.admin.get('./documents')));
});
