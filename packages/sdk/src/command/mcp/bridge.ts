import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Login } from '../context/context.ts';

export interface BridgeStreams {
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
}

/**
 * Relays messages of the Model Context Protocol between standard streams and the server, unchanged and in both
 * directions, so that questions to the user pass through too. When the server does not answer a request, the bridge
 * answers it with the error. Ends when the input ends or the signal aborts.
 */
export async function runBridge(login: Login, streams: BridgeStreams, signal: AbortSignal): Promise<void> {
  const { baseUrl, token, organizationId } = login;
  const headers = {
    authorization: `Bearer ${token}`,
    ...(organizationId !== undefined && { 'x-org-id': organizationId }),
  };
  const local = new StdioServerTransport(streams.stdin as never, streams.stdout as never);
  const remote = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } });
  /** Pending requests of the client. */
  const pending = new Map<JSONRPCRequest['id'], JSONRPCRequest>();

  const fail = async (request: JSONRPCRequest, message: string) => {
    if (pending.delete(request.id)) {
      await local.send({ jsonrpc: '2.0', id: request.id, error: { code: -32_000, message } });
    }
  };

  const toServer = async (message: JSONRPCMessage) => {
    if (!isJSONRPCRequest(message)) {
      // A notification has no reply, so its failure cannot be reported.
      await remote.send(message).catch(() => undefined);
      return;
    }
    pending.set(message.id, message);
    try {
      await remote.send(message, { onRequestStreamEnd: () => void fail(message, connectionLost) });
    } catch (error) {
      await fail(message, reasonOf(error, baseUrl));
    }
  };

  const toClient = async (message: JSONRPCMessage) => {
    if (isJSONRPCResponse(message) && message.id !== undefined) {
      const request = pending.get(message.id);
      pending.delete(message.id);
      if (request?.method === 'initialize' && 'result' in message) {
        const { protocolVersion } = message.result;
        if (typeof protocolVersion === 'string') remote.setProtocolVersion(protocolVersion);
      }
    }
    await local.send(message);
  };

  const ended = new Promise<void>((resolve) => {
    Object.assign(local, { onmessage: (message: JSONRPCMessage) => void toServer(message), onclose: resolve });
    Object.assign(remote, { onmessage: (message: JSONRPCMessage) => void toClient(message) });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await remote.start();
  await local.start();
  await ended;
  await remote.close();
  await local.close();
}

const connectionLost =
  'The connection to Docwright was lost before the answer. The call may have run: check its result before you call it again.';

/** The reason of a failed request, with its cure. */
function reasonOf(error: unknown, baseUrl: string): string {
  if (!(error instanceof SdkHttpError)) return `Docwright was not reached at ${baseUrl}. Is it running?`;
  const reason = messageIn(error.data.text) ?? `the server answered ${error.status}`;
  const cure = error.status === 401 ? ` Sign in with: docwright login ${baseUrl}` : '';
  return `Docwright refused: ${reason}${cure}`;
}

function messageIn(text: unknown): string | undefined {
  try {
    const { error } = JSON.parse(String(text)) as { error?: { message?: string } };
    return error?.message;
  } catch {
    return undefined;
  }
}
