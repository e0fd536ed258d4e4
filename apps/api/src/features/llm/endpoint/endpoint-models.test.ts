import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createEndpointModelList } from './endpoint-model-list.ts';
import { fetchEndpointModels, readEndpointModels } from './endpoint-models.ts';

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

async function serve(listener: RequestListener): Promise<{ baseUrl: string; apiKey: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, apiKey: 'k' };
}

it("reads the endpoint's models, each once, with its key", async () => {
  const requests: unknown[] = [];
  const endpoint = await serve(({ url, headers }, response) => {
    requests.push([url, headers.authorization]);
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'small' }, { id: 'large' }, { id: 'small' }] }));
  });
  expect(await readEndpointModels({ ...endpoint, baseUrl: `${endpoint.baseUrl}/` }, fetch)).toEqual({
    ids: ['small', 'large'],
    notForChat: [],
  });
  expect(requests).toEqual([
    ['/v1/models', 'Bearer k'],
    ['/v1/model/info', 'Bearer k'],
  ]);
});

it("reads the purpose of a model from the list or from LiteLLM's model info", async () => {
  const endpoint = await serve(({ url }, response) => {
    const data =
      url === '/v1/models'
        ? [{ id: 'smart' }, { id: 'meaning' }, { id: 'pictures', type: 'image' }, { id: 'typed', type: 'chat' }]
        : [
            { model_name: 'smart', model_info: { mode: 'chat' } },
            { model_name: 'meaning', model_info: { id: 'x', mode: 'embedding' } },
            { model_name: 'typed', model_info: { mode: null } },
          ];
    response.end(JSON.stringify({ data }));
  });
  expect(await readEndpointModels(endpoint, fetch)).toEqual({
    ids: ['smart', 'meaning', 'pictures', 'typed'],
    notForChat: ['meaning', 'pictures'],
  });
});

it.each([
  ['a web page', '<html>no such thing</html>', /JSON/],
  ['other JSON', '{"data": [{"name": "x"}]}', /list of models/],
  ['an endless answer', '"'.padEnd(6_000_000, 'x'), /far more/],
])('reports %s as an invalid answer', async (_, answer, words) => {
  const endpoint = await serve((_request, response) => void response.end(answer));
  await expect(readEndpointModels(endpoint, fetch)).rejects.toMatchObject({
    kind: 'model_failed',
    code: 'models_not_listed',
    message: expect.stringMatching(words),
  });
  expect(await fetchEndpointModels(endpoint)).toBeUndefined();
});

it('reports an unreachable endpoint', async () => {
  const away = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: undefined };
  await expect(readEndpointModels(away, fetch)).rejects.toMatchObject({ message: expect.stringMatching(/reached/) });
});

it('fetches once a minute, sooner after a failure, and at once on refresh', async () => {
  let time = 0;
  const only = (id: string) => ({ ids: [id], notForChat: [] });
  const answers = [undefined, only('a'), only('b'), only('c')];
  const endpoint = { baseUrl: 'http://unused', apiKey: undefined };
  const list = createEndpointModelList(
    endpoint,
    async () => answers.shift(),
    () => time,
  );
  expect(await list.ids()).toBeUndefined();
  time = 6_000;
  expect(await list.ids()).toEqual(['a']);
  time = 60_000;
  expect(await list.ids()).toEqual(['a']);
  time = 70_000;
  expect(await list.ids()).toEqual(['b']);
  expect(await list.refresh()).toEqual(only('c'));
  expect(await list.ids()).toEqual(['c']);
});
