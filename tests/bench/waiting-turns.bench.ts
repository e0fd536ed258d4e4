import v8 from 'node:v8';
import vm from 'node:vm';
import type { LlmClient } from '@docwright/agent-core';
import { scriptedLlm } from '@docwright/agent-core/testing';
import type { Document } from '@docwright/contract';
import { setup as startDatabase } from '../../apps/api/src/testing/shared-database.ts';
import { startTestApp } from '../../apps/api/src/testing/test-app.ts';
import { size } from './short/size.ts';

/**
 * The memory of the server's process for a turn that waits for approval. Turns run through the real service and store, each with
 * an answer of 100 chunks and a pending write; the heap after a collection is divided by their number. Limit: 50 kB, with
 * either store.
 */

const warmUp = size(100, 1);
const turns = size(2000, 1);
const atOnce = size(20, 1);

v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc') as () => void;

const stopDatabase = await startDatabase();
for (const store of ['memory', 'mongo']) {
  console.log(
    `TURN_STORE=${store}: ${(await bytesAWaitingTurn(store)).toFixed(1)} kB a waiting turn, of at most 50 kB`,
  );
}
await stopDatabase?.();

async function bytesAWaitingTurn(turnStore: string): Promise<number> {
  const text = Array.from({ length: size(100, 2) }, (_, index) => ` word${index}`);
  const proposal = { text, calls: [{ name: 'create_tag', args: { name: 'waits', color: '#112233' } }] };
  const llm: LlmClient = { stream: (request) => scriptedLlm([proposal]).stream(request) };
  const harness = await startTestApp({ llm, settings: { TURN_STORE: turnStore } });
  const files = [{ name: 'note.txt', content: Buffer.from('A note about nothing.').toString('base64') }];
  const { body } = await harness.admin.post<{ documents: Document[] }>('./documents', { documents: files });
  const documentId = body.documents[0]!.id;
  const wait = async (count: number) => {
    for (let done = 0; done < count; done += atOnce) {
      const answers = Array.from({ length: atOnce }, () =>
        harness.admin.post<{ status: string }>(`./documents/${documentId}/chat`, {
          messages: [{ role: 'user', content: 'Make a tag.' }],
        }),
      );
      for (const answer of await Promise.all(answers)) {
        if (answer.body.status !== 'awaiting_approval') throw new Error(`it does not wait: ${answer.body.status}`);
      }
    }
  };
  try {
    await wait(warmUp);
    const before = heap();
    await wait(turns);
    return (heap() - before) / turns / 1000;
  } finally {
    await harness.stop();
  }
}

function heap(): number {
  for (let round = 0; round < size(3, 1); round += 1) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
