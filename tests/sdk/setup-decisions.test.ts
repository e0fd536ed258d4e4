import { afterAll, beforeAll, expect, test } from 'vitest';
import { startModelServer, type ModelServer, type Script } from '../faults/scripted-model-server.ts';
import { interruptAt, startSignedInProduct, type RunOptions, type SignedInProduct } from './signed-in-product.ts';

const words = Array.from({ length: 8 }, (_, at) => `word${at + 1}`);
const pipeline = { parsers: [{ extensions: ['txt'], plugin_id: 'plain' }], chunker: { plugin_id: 'recursive' } };
const uncertainties = ['Half of them are drafts.', 'Some may be secret.'].map((message) => ({
  severity: 'blocking',
  message,
}));

const script: Script = (name, round) => {
  switch (`${name} ${round}`) {
    case 'case-propose 0':
      return { calls: [{ name: 'build_pipeline', args: pipeline }] };
    case 'case-propose 1':
      return { calls: [{ name: 'apply_pipeline', args: { collection_name: 'Leases' } }] };
    case 'case-doubt 0':
      return { calls: [{ name: 'spawn_source_analyzer', args: {} }] };
    case 'case-doubt 1':
      return { text: 'I doubt it.' };
    case 'case-slow 0':
      return { text: words.join(' ') };
    default:
      // The sub-agent: its task names no case.
      return { text: JSON.stringify({ success: true, data: {}, uncertainties, summary: 'Doubtful.' }) };
  }
};

let model: ModelServer;
let product: SignedInProduct;
let release: () => void;
let env: { DOCWRIGHT_TOKEN: string };
beforeAll(async () => {
  model = await startModelServer(script);
  product = await startSignedInProduct({ model });
  env = { DOCWRIGHT_TOKEN: product.token };
  const { id } = await product.client.documents.upload({ name: 'lease.txt', content: 'The tenant pays rent.' });
  await product.client.documents.waitForText(id);
  await product.client.sources.create({ name: 'Papers' });
});
afterAll(async () => {
  release?.();
  await product.stop();
  model.stop();
});

/** Holds the answer back in its middle until it is released. */
function holdAnswers(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  release = resolve;
  model.onAnswer = (name, _round, moment) => (name === 'case-slow' && moment === 'half' ? promise : undefined);
}

const idIn = (text: string) => /--conversation ([0-9a-f]{24})/.exec(text)?.[1] ?? '';

test('the first Ctrl-C stops the answer in the server, which stores its text', async () => {
  holdAnswers();
  const watch = interruptAt('word2');
  const end = await product.spawnDocwright(['setup', 'Papers', '-m', 'case-slow'], { env, watch });
  expect(end.stderr).toContain('Press Ctrl-C again to leave it running in the server');
  expect(end.stdout).not.toContain('word8');
  expect(end.code).toBe(0);
  const conversation = await product.client.agentConversations.get(idIn(end.stderr));
  expect(conversation).toMatchObject({ status: 'active', is_running: false });
  expect(conversation.messages.at(-1)).toMatchObject({ role: 'assistant', content: expect.stringContaining('word2') });
  release();
});

test('the second leaves it running and says how to follow it again', async () => {
  holdAnswers();
  const watch = interruptAt('word2', 'Ctrl-C again');
  const end = await product.spawnDocwright(['setup', 'Papers', '-m', 'case-slow'], { env, watch });
  expect(end).toMatchObject({ code: 130, stderr: expect.stringContaining('Left. Continue with: docwright setup') });
  const id = idIn(end.stderr);
  expect((await product.client.agentConversations.get(id)).is_running).toBe(true);
  release();
  const conversation = await product.client.agentConversations.waitForAnswer(id);
  expect(conversation.messages.at(-1)?.content).toBe(words.join(' '));
});

/** The typed answers to the questions, after another window has found a blocker. */
async function decide(...typed: [mark: string, text: string][]) {
  const conversation = await product.client.agentConversations.create({
    source_id: (await product.client.sources.list()).sources[0]!.id,
  });
  const { id } = conversation;
  let from = 0;
  let doubted: Promise<unknown> | undefined;
  const watch: NonNullable<RunOptions['watch']> = (output, child) => {
    if (output.includes('Apply it as')) doubted ??= doubt(id).then(() => child.stdin.write('y\n'));
    for (let [next] = typed; next !== undefined; [next] = typed) {
      const at = output.indexOf(next[0], from);
      if (at < 0) return;
      from = at + next[0].length;
      typed.shift();
      // No input follows the last answer.
      if (typed.length === 0) child.stdin.end(next[1]);
      else child.stdin.write(next[1]);
    }
  };
  const options = { env, watch, input: 'case-propose\n', keepInputOpen: true as const };
  const end = await product.spawnDocwright(['setup', '--conversation', id], options);
  await doubted;
  return { end, conversation: await product.client.agentConversations.get(id) };
}

async function doubt(id: string): Promise<void> {
  await product.client.agentConversations.stream(id, 'case-doubt').answer();
}

test('blockers are resolved one by one, with a resolution', async () => {
  const { end, conversation } = await decide(
    ['Half of them are drafts.', 'what?\n'],
    ['[r]esolved', ''],
    ['[r]esolved', 'r\n'],
    ['How was it resolved?', 'They are final by now\n'],
    ['Some may be secret.', 'r\n'],
    ['How was it resolved?', '\n'],
  );
  expect(end).toMatchObject({ code: 0, stderr: expect.stringContaining('Created the collection Leases') });
  expect(conversation.status).toBe('applied');
  expect(conversation.uncertainties.map(({ resolved_by }) => resolved_by)).toEqual([
    'They are final by now',
    'user_confirmed',
  ]);
});

test('a user can apply despite all blocking uncertainties', async () => {
  const { end, conversation } = await decide(['[f]orce', 'f\n']);
  expect(end.code).toBe(0);
  expect(conversation.status).toBe('applied');
  expect(conversation.uncertainties.map(({ resolved }) => resolved)).toEqual([false, false]);
});

test('the answer no applies nothing, and the conversation continues', async () => {
  const { end, conversation } = await decide(['[f]orce', 'n\n']);
  expect(end.code).toBe(0);
  expect(conversation).toMatchObject({ status: 'active', collection_id: null });
});
