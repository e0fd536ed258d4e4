import type { Readable } from 'node:stream';
import { Agent, EnvHttpProxyAgent, interceptors, request, type Dispatcher } from 'undici';

const bodies = new WeakMap<Response, Readable>();
const mostRedirections = 5;
let dispatcher: Dispatcher | undefined;

/**
 * A fetch for answers that stream. A web stream gives each piece of a chunked body by a promise of its own, which costs
 * more than to read what is in it; a stream of Node gives at once what has come. So the Response of a status that is no
 * error has no body: `nodeBodyOf` gives it.
 */
export const nodeFetch: typeof fetch = async (input, init = {}) => {
  if (input instanceof Request) throw new TypeError('The request is given by its address.');
  const { statusCode, headers, body } = await request(input, {
    dispatcher: (dispatcher ??= connectTo()),
    method: init.method ?? 'GET',
    headers: new Headers(init.headers),
    body: init.body as string,
    signal: init.signal ?? null,
  });
  const isError = statusCode >= 300;
  const text = isError ? await body.text() : '';
  const response = new Response(text === '' ? null : text, { status: statusCode, headers: headersOf(headers) });
  if (!isError) bodies.set(response, body);
  return response;
};

/** The body of an answer of `nodeFetch`. */
export function nodeBodyOf(response: Response): Readable | undefined {
  return bodies.get(response);
}

/** Goes through a proxy where Node's own fetch would. */
function connectTo(): Dispatcher {
  const agent = process.env['NODE_USE_ENV_PROXY'] === '1' ? new EnvHttpProxyAgent() : new Agent();
  return agent.compose(interceptors.redirect({ maxRedirections: mostRedirections }));
}

function headersOf(headers: Record<string, string | string[] | undefined>): [name: string, value: string][] {
  return Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
}
