import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditEntry, Document, TurnAnswer } from '@docwright/contract';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { expect, it } from 'vitest';
import { startServer } from './killable-server.ts';
import { startModelServer } from './scripted-model-server.ts';
import { registerClient } from './server-client.ts';

/** By default a few kills; `KILLS=100` is the large form. */
const kills = Number(process.env['KILLS'] ?? 2);
const stepIds = ['one', 'two', 'three', 'four'];
/** The approximate duration of a plan without a kill. */
const runMs = 300;

/** Not a tag: whose name is taken, that call is refused before anybody is asked. */
const prompt = (name: string, step: string) => ({
  name: 'create_prompt',
  args: { name: `${name}-${step}`, content: 'Read.' },
});

/** Proposes a plan, makes its calls one by one, and then repeats one call, which the used grant no longer covers. */
function script(name: string, round: number) {
  const steps = stepIds.map((id) => ({ id, tool: 'create_prompt', arguments: prompt(name, id).args }));
  if (round === 0) return { calls: [{ name: 'propose_plan', args: { title: name, steps } }] };
  if (round <= stepIds.length) return { calls: [prompt(name, stepIds[round - 1]!)] };
  return round === stepIds.length + 1 ? { calls: [prompt(name, 'one')] } : { text: `The plan ${name} is carried out.` };
}

it(
  `uses no grant twice and goes on with its plan, killed ${kills} times while a plan is carried out`,
  async () => {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-kill-plan-'));
    const model = await startModelServer(script);
    model.onAnswer = (_, __, moment) => (moment === 'begun' ? sleep(20) : undefined);
    const database = await startEmbeddedMongo({ dataDir });
    const start = (ROLE: 'all' | 'api' = 'api') =>
      startServer({
        DATA_DIR: dataDir,
        MONGODB_URI: database.uri,
        APP_SECRET: 'a secret for this test alone',
        LLM_BASE_URL: model.url,
        LLM_MODEL: 'scripted',
        ALLOW_SIGNUP: 'true',
        ROLE,
      });
    // This process reads the document. The killed ones run no jobs: jobs would resume the plan before the test asks for it.
    let server = await start('all');
    try {
      const client = await registerClient(server, 'one');
      const { organization, chat, documentId } = client;
      const read = () => client.get<Document>(server, `${organization}/documents/${documentId}`);
      while ((await read()).state !== 'ocr_completed') await sleep(50);
      await server.end();
      server = await start();
      let killed = 0;
      for (let at = 0; killed < kills; at += 1) {
        const name = `case-${at}`;
        const say = { messages: [{ role: 'user', content: `Do ${name}.` }] };
        const waiting = await client.post<TurnAnswer>(server, chat, say);
        const decide = (answer: TurnAnswer, approved: boolean) =>
          client.post<TurnAnswer>(server, `${chat}/approve`, {
            turn_id: answer.turn_id,
            approvals: answer.tool_calls.map(({ id }) => ({ call_id: id, approved })),
          });
        const [plan] = waiting.tool_calls;
        expect(plan?.name).toBe('propose_plan');
        const answer = decide(waiting, true).catch(() => undefined);
        await sleep(Math.random() * runMs);
        await server.kill();
        killed += 1;
        server = await start();
        await answer;
        // Repeating the decision runs nothing and returns the turn's outcome.
        const paused = await decide(waiting, true);
        expect([name, paused.status]).toEqual([name, 'awaiting_approval']);
        expect(paused.tool_calls).toMatchObject([
          { name: 'create_prompt', arguments: JSON.stringify(prompt(name, 'one').args) },
        ]);
        expect(paused.tool_calls[0]).not.toHaveProperty('plan');
        const ended = await decide(paused, false);
        expect(ended).toMatchObject({ status: 'completed', text: `The plan ${name} is carried out.` });

        const prompts = `${organization}/prompts?name_search=${name}-&limit=100`;
        const made = await client.get<{ prompts: { name: string }[] }>(server, prompts);
        const wanted = stepIds.map((id) => `${name}-${id}`);
        expect(made.prompts.map((each) => each.name).toSorted()).toEqual(wanted.toSorted());
        const audit = `${organization}/audit?turn_id=${waiting.turn_id}&limit=100`;
        const { entries } = await client.get<{ entries: AuditEntry[] }>(server, audit);
        const executed = entries.filter(({ kind, tool }) => kind === 'executed' && tool === 'create_prompt');
        expect(executed.map(({ plan: of }) => String(of?.step_id)).toSorted()).toEqual(stepIds.toSorted());
        expect(new Set(executed.map(({ plan: of }) => of?.plan_id))).toEqual(new Set([plan?.id]));
        if (kills > 10 && killed % 10 === 0) process.stdout.write(`${killed} killed\n`);
      }
    } finally {
      await server.kill();
      await database.stop();
      model.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    }
  },
  90_000 + kills * 20_000,
);
