import type { OperationDescription } from '@docwright/contract';
import { operations } from '@docwright/contract/operations';
import { startDemoModel } from '@docwright/demo-model';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startJobs } from '../../apps/api/src/process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';
import { furnish, type Things } from './bad-input/furnished-product.ts';

let app: TestApp;
let things: Things;
const logged: string[] = [];
beforeAll(async () => {
  const demo = await startDemoModel();
  const llmEndpoint = { baseUrl: demo.baseUrl, model: demo.model, apiKey: undefined };
  app = await startTestApp({
    llmEndpoint,
    logger: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }),
  });
  await startJobs(app.services);
  things = await furnish(app.admin);
  await app.services.jobs.stop();
  return () => demo.close();
});
afterAll(() => app.stop());

/** The path of each list, with the objects of the organization in the places of its parameters. */
function pathsOfLists(): { name: string; path: string }[] {
  return Object.entries<OperationDescription>({ ...operations }).flatMap(([name, { response }]) => {
    const answer = response[200];
    if (!name.startsWith('GET ') || !(answer instanceof z.ZodObject) || !('unreadable' in answer.shape)) return [];
    const path = name.slice(4).replaceAll(/:(\w+)/gu, (_, parameter: string) => {
      if (parameter === 'id') return (name.includes('/prompts/') ? things.prompt : things.schema)[0]!;
      if (parameter === 'conversation_id')
        return (name.includes('/v1/') ? things.taskConversation : things.conversation)[0]!;
      return things.of[parameter]?.[0] ?? 'unknown';
    });
    return [{ name, path }];
  });
}

/** Lists below a record: they need it. */
const below: Record<string, string> = {
  documents: '/:document_id/',
  runs: '/:run_id/',
  prompts: '/suspects',
  prompt_revisions: '/suspects',
  release_policies: '/suspects',
};

const damages: Record<string, (value: unknown) => unknown> = {
  'its dates are texts': (value) => (value instanceof Date ? 'damaged' : value),
  'its lists and objects are numbers': (value) => (Array.isArray(value) || value?.constructor === Object ? 7 : value),
};

/** Without those that sign the caller in. */
const spared = ['users', 'organizations', 'sessions'];

test.each(Object.keys(damages))('one damaged record leaves no list unanswered: %s', async (kind) => {
  const { admin, connection } = app;
  const names = (await connection.db!.listCollections().toArray()).map(({ name }) => name);
  const parents = Object.keys(below);
  const lists = pathsOfLists();
  expect(lists.length).toBeGreaterThan(30);
  const failed: string[] = [];
  const named = new Set<string>();
  for (const damaged of [names.filter((name) => !parents.includes(name)), ...parents.map((name) => [name])]) {
    const putBack: (() => Promise<void>)[] = [];
    for (const name of damaged.filter((each) => !spared.includes(each) && !each.startsWith('system.'))) {
      const collection = connection.collection(name);
      const records = await collection.find().toArray();
      for (const record of records) {
        const fields = Object.entries(record).map(([field, value]) => [field, damages[kind]!(value)]);
        await collection.replaceOne({ _id: record._id }, Object.fromEntries(fields));
        putBack.push(async () => void (await collection.replaceOne({ _id: record._id }, record)));
      }
    }
    for (const { name, path } of lists) {
      if (damaged.some((collection) => name.includes(below[collection] ?? 'nothing'))) continue;
      const headers = { 'x-org-id': admin.organizationId };
      const { status, body } = await admin.request<{ unreadable?: string[] }>('GET', path, { headers });
      if (status !== 200) failed.push(`${name} answers ${status} with damaged ${damaged.join(', ')}`);
      if (body.unreadable) named.add(name.split('/').at(-1)!);
    }
    await Promise.all(putBack.map((put) => put()));
  }
  expect(failed).toEqual([]);
  expect([...named]).toEqual(expect.arrayContaining(['documents', 'schedules', 'webhooks', 'runs', 'extractions']));
  expect(logged.some((line) => line.includes('left out of a list'))).toBe(true);
});
