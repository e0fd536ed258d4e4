import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { fetchEndpointModels } from './endpoint-models.ts';
import { createModelService } from './model-service.ts';

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const json =
  (body: unknown): RequestListener =>
  (_request, response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

it('lists what the endpoint offers beside what is configured, the default first', async () => {
  const baseUrl = await serve(json({ object: 'list', data: [{ id: 'small' }, { id: 'text-embedding-3' }] }));
  const models = createModelService({ endpoint: { baseUrl, apiKey: 'k', model: 'large' }, fallbackModel: 'small' });
  expect(await models.list()).toEqual([
    { id: 'large', provider: 'default', chat_agent: true, default: true },
    { id: 'small', provider: 'default', chat_agent: true, default: false },
    { id: 'text-embedding-3', provider: 'default', chat_agent: false, default: false },
  ]);
  expect((await models.list({ chat_only: true })).map((model) => model.id)).toEqual(['large', 'small']);
  expect(await models.resolveModel()).toBe('large');
  expect(await models.resolveModel('small')).toBe('small');
  await expect(models.resolveModel('other')).rejects.toMatchObject({ kind: 'invalid', code: 'model_not_enabled' });
});

it('answers what is configured while the endpoint is down or answers HTML', async () => {
  const html = await serve((_request, response) => void response.end('<html>no such thing</html>'));
  expect(await fetchEndpointModels({ baseUrl: html, apiKey: undefined })).toBeUndefined();
  expect(await fetchEndpointModels({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: undefined })).toBeUndefined();
  const models = createModelService({
    endpoint: { baseUrl: html, apiKey: undefined, model: 'large' },
    fallbackModel: undefined,
  });
  expect((await models.list()).map((model) => model.id)).toEqual(['large']);
});

it('asks the endpoint once a minute, and again soon after it was away', async () => {
  let time = 0;
  let answers: (string[] | undefined)[] = [undefined, ['a'], ['b']];
  const models = createModelService({
    endpoint: { baseUrl: 'http://unused', apiKey: undefined, model: 'm' },
    fallbackModel: undefined,
    fetchModels: async () => answers.shift(),
    now: () => time,
  });
  const ids = async () => (await models.list()).map((model) => model.id);
  expect(await ids()).toEqual(['m']);
  time = 6_000;
  expect(await ids()).toEqual(['m', 'a']);
  time = 60_000;
  expect(await ids()).toEqual(['m', 'a']);
  time = 70_000;
  expect(await ids()).toEqual(['m', 'b']);
});
