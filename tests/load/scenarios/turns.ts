import { createDocwright, type Docwright } from '@docwright/sdk';
import { startModelServer, type ModelServer } from '../../faults/scripted-model-server.ts';
import type { Laboratory } from '../laboratory.ts';
import type { Seeded } from '../seed.ts';
import { upkeepSeconds } from './idle.ts';

/** A user can have 60 turns a minute. */
const [unmeasured, greetings, messages, lists] = [15, 15, 10, 40];

/** A model that answers “Hi” at once, and calls a tool for other messages. */
export async function startQuickModel(): Promise<ModelServer> {
  return await startModelServer((name, round) =>
    name === '' || round > 0
      ? { text: 'Hello.' }
      : { text: 'I propose a prompt.', calls: [{ name: 'create_prompt', args: { name, content: 'Read the total.' } }] },
  );
}

/** Processor milliseconds of the servers and of the database for one turn, and for one page of the list: one after the other. */
export async function turns(
  laboratory: Laboratory,
  { documentId }: Pick<Seeded, 'documentId'>,
): Promise<Record<string, { servers: number; database: number }>> {
  const docwright = createDocwright({
    baseUrl: laboratory.url,
    token: laboratory.token,
    organizationId: laboratory.organizationId,
  });
  await upkeepSeconds(laboratory);
  const say = (content: string) => answerOf(docwright, documentId, content);
  async function mean(count: number, once: (at: number) => Promise<unknown>) {
    const before = laboratory.processor();
    for (let at = 0; at < count; at += 1) await once(at);
    const spent = Object.entries(laboratory.processor()).map(([name, ms]) => [name, ms - before[name]!] as const);
    const sumOf = (isDatabase: boolean) =>
      spent.reduce((sum, [name, ms]) => ((name === 'database') === isDatabase ? sum + ms : sum), 0);
    const [servers, database] = [sumOf(false) / count, sumOf(true) / count];
    return { servers: Number(servers.toFixed(1)), database: Number(database.toFixed(1)) };
  }

  await mean(unmeasured, () => say('Hi'));
  const waiting: Awaited<ReturnType<typeof say>>[] = [];
  return {
    '“Hi”': await mean(greetings, () => say('Hi')),
    'a message, until its call waits': await mean(messages, async (at) => {
      waiting.push(await say(`case-${Date.now()}-${at}`));
    }),
    'its approval, with the answer after it': await mean(messages, async (at) => {
      const { turn_id, tool_calls } = waiting[at]!;
      const approvals = tool_calls.map(({ id: call_id }) => ({ call_id, approved: true }));
      await docwright.chat.streamApproval(documentId, { turn_id, approvals }).answer();
    }),
    'a page of the list of documents': await mean(lists, () => laboratory.ask('/documents?limit=20')),
  };
}

async function answerOf(docwright: Docwright, documentId: string, content: string) {
  return await docwright.chat.stream(documentId, { messages: [{ role: 'user', content }] }).answer();
}
