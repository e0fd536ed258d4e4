/** LiteLLM's proxy between the product and a model: the main story, as JSON and as a stream. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnAnswer } from '@docwright/contract';
import { startDemoModel } from '@docwright/demo-model';
import { cameBack, startThinkingModel, thought } from './thinking-model.ts';
import { invoice, startSignedInProduct, type SignedInProduct } from '../sdk/signed-in-product.ts';

const readyWithinMs = 120_000;
const key = 'sk-of-this-run-alone';

/** Starts the proxy in front of the demo model, and a product that uses the proxy. @throws Error if the story has another end */
export async function throughLiteLlm(bin: string, folder: string): Promise<string> {
  const model = await startDemoModel();
  const thinking = await startThinkingModel();
  const port = await freePort();
  const config = path.join(folder, 'litellm.yaml');
  const params = { model: `openai/${model.model}`, api_base: model.baseUrl, api_key: 'none' };
  // JSON is YAML.
  fs.writeFileSync(
    config,
    JSON.stringify({
      model_list: [
        { model_name: 'through-litellm', litellm_params: params },
        { model_name: 'meaning', litellm_params: params, model_info: { mode: 'embedding' } },
        {
          model_name: 'claude-thinking',
          litellm_params: { model: 'anthropic/claude-sonnet-4-5', api_base: thinking.baseUrl, api_key: 'none' },
        },
      ],
      general_settings: { master_key: key },
      litellm_settings: { telemetry: false },
    }),
  );
  const proxy = spawn(path.join(bin, 'litellm'), ['--config', config, '--host', '127.0.0.1', '--port', String(port)], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
    stdio: 'ignore',
  });
  const exited = new Promise<void>((resolve) => proxy.once('exit', () => resolve()));
  let product: SignedInProduct | undefined;
  try {
    await whenReady(`http://127.0.0.1:${port}/health/liveliness`);
    const url = `http://127.0.0.1:${port}/v1`;
    product = await startSignedInProduct({
      settings: { LLM_BASE_URL: url, LLM_API_KEY: key, LLM_MODEL: 'through-litellm' },
    });
    const told = await story(product);
    return `${told}; ${await signedThinking(product)}`;
  } finally {
    await product?.stop();
    proxy.kill();
    await exited;
    await model.close();
    thinking.close();
  }
}

async function story({ client }: SignedInProduct): Promise<string> {
  const { models } = await client.models.list({ chat_only: true });
  if (models.some(({ id }) => id === 'meaning')) throw new Error('A model of mode embedding is offered for chat.');
  const { id } = await client.documents.upload(invoice);
  await client.documents.waitForText(id);
  let approved = 0;
  const conversation = client.conversation(id);
  let turn: TurnAnswer = await conversation.say('create a schema for this invoice and extract it');
  while (turn.status === 'awaiting_approval') {
    approved += turn.tool_calls.length;
    turn = await conversation.approve();
  }
  const { extractions } = await client.extractions.list(id);
  if (!JSON.stringify(extractions[0]?.result ?? '').includes('INV-100')) {
    throw new Error(`The turn ended ${turn.status} without INV-100: ${turn.error?.message ?? turn.text}`);
  }
  return `${approved} approved, INV-100 extracted`;
}

/** A turn of a model that thinks: its signed thinking is shown once, and sent back whole with the result of its call. */
async function signedThinking({ client }: SignedInProduct): Promise<string> {
  const { id } = await client.documents.upload(invoice);
  await client.documents.waitForText(id);
  const turn = await client.conversation(id).say('Which tags are there?', { model: 'claude-thinking' });
  const shown = turn.executed_rounds.map((round) => round.thinking ?? '').join('') + (turn.thinking ?? '');
  if (turn.text !== cameBack) throw new Error(`The thinking did not come back: ${turn.error?.message ?? turn.text}`);
  if (shown !== thought) throw new Error(`Other thinking is shown than was thought: ${shown}`);
  return 'signed thinking shown once and sent back';
}

async function whenReady(url: string): Promise<void> {
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(500);
  }
  throw new Error(`LiteLLM was not ready within ${readyWithinMs / 1000} s.`);
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => server.once('listening', () => resolve()));
  const { port } = server.address() as net.AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
