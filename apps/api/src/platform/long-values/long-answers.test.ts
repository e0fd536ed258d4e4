import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { longAnswers } from './long-answers.ts';

let app: FastifyInstance;
/** The requests that are being answered, by organization. */
const running = new Map<string, number>();
let most = 0;
let finish: () => void;
beforeEach(async () => {
  running.clear();
  most = 0;
  const gate = new Promise<void>((resolve) => void (finish = resolve));
  app = fastify();
  app.decorateRequest('actor', {
    getter() {
      return { organizationId: this.headers['x-org-id'] as string } as never;
    },
  });
  await app.register(longAnswers);
  const answer = async ({ actor: { organizationId } }: { actor: { organizationId: string } }) => {
    const count = (running.get(organizationId) ?? 0) + 1;
    running.set(organizationId, count);
    most = Math.max(most, count);
    if (organizationId === 'many') await gate;
    running.set(organizationId, running.get(organizationId)! - 1);
    return { documents: [] };
  };
  app.get('/documents', { schema: { operationId: 'listDocuments' } }, answer);
  app.get('/tags', { schema: { operationId: 'listTags' } }, answer);
  await app.ready();
});
afterEach(() => app.close());

const get = (url: string, organization: string, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: { 'x-org-id': organization } });

it('an organization has four long lists made at once; others do not wait for the rest, and it has them all in the end', async () => {
  const lists = Array.from({ length: 40 }, (_, at) => get('/documents', 'many', at % 2 === 0 ? 'GET' : 'HEAD'));
  await expect.poll(() => running.get('many')).toBe(4);
  expect((await get('/documents', 'other')).statusCode).toBe(200);
  expect(running.get('many')).toBe(4);
  finish();
  const answers = await Promise.all(lists);
  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(most).toBe(4);
});

it('short answers wait for no place', async () => {
  const tags = Array.from({ length: 20 }, () => get('/tags', 'many'));
  await expect.poll(() => running.get('many')).toBe(20);
  finish();
  await Promise.all(tags);
});
