import type { LookupFunction } from 'node:net';
import { callbackify, promisify } from 'node:util';
import { DomainError } from '@docwright/contract';
import type { buildConnector, RequestInit as UndiciRequestInit } from 'undici';
import type { HostGuard } from './host-guard.ts';

/** Maximum concurrent requests per host; more are queued. */
const connectionsPerHost = 128;

/**
 * A `fetch` that connects only to addresses that the guard allows. A name is resolved once per connection, and the
 * connection goes to the checked address, so a different second answer of the resolver has no effect. Redirects are not
 * followed: `redirect_refused`.
 */
export function createGuardedFetch(guard: HostGuard): typeof fetch {
  let guarded: ReturnType<typeof connectThrough> | undefined;
  return async (input, init) => {
    if (input instanceof Request) throw new TypeError('A guarded fetch takes a URL, not a Request.');
    const { undiciFetch, dispatcher } = await (guarded ??= connectThrough(guard));
    const request = init as unknown as UndiciRequestInit | undefined;
    const response = await undiciFetch(input, { ...request, redirect: 'manual', dispatcher });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new DomainError(
        'model_failed',
        'redirect_refused',
        "The model's address answers with a redirect, which is not followed. Ask an admin to set the target address instead.",
        undefined,
        { cause: new Error(`${new URL(input).host} answered with status ${response.status}`) },
      );
    }
    return response;
  };
}

/** The agent and the fetch of one undici release; Node's own fetch belongs to another. Loaded at first use. */
async function connectThrough(guard: HostGuard) {
  const undici = await import('undici');
  const connect = callbackify(async (options: buildConnector.Options) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const addresses = await guard.addressesOf(options.hostname, port);
    const lookup: LookupFunction = (_hostname, { all }, found) => {
      const [first] = addresses;
      if (all) found(null, [...addresses]);
      else found(null, first?.address ?? '', first?.family ?? 0);
    };
    return await promisify(undici.buildConnector({ lookup }))(options);
  }) as buildConnector.connector;
  return { undiciFetch: undici.fetch, dispatcher: new undici.Agent({ connections: connectionsPerHost, connect }) };
}
