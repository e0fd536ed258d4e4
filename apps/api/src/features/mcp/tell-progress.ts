import type { ServerContext } from '@modelcontextprotocol/server';

const everyMs = 4_000;

/** While a call goes on, tells a client that asked for it that it does: many give up on silence, and wait on at a sign. */
export async function emitProgress<Result>(
  { mcpReq: { _meta, notify } }: ServerContext,
  call: Promise<Result>,
): Promise<Result> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return call;
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const params = { progressToken, progress, message: 'Still at it, or waiting for the person.' };
    // A client that has gone away hears nothing, and the call goes on.
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }, everyMs);
  return call.finally(() => clearInterval(timer));
}
