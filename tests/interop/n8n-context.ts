import type { DocwrightTrigger } from '../../packages/n8n-nodes-docwright/src/index.ts';

/** What a node is called with: n8n's contexts, as far as the nodes use them, with real requests. */
export interface N8nContext {
  credentials: { url: string; token: string };
  parameters: Record<string, unknown>;
  items?: { json: Record<string, unknown> }[];
  file?: { fileName: string; mimeType: string; bytes: Buffer };
  staticData?: Record<string, unknown>;
  webhookUrl?: string;
  continueOnFail?: boolean;
}

interface Options {
  method: string;
  url: string;
  qs?: Record<string, string | number>;
  body?: unknown;
}

/** A context for `execute` and for the methods of a trigger's webhook. */
export function n8nContext({
  credentials,
  parameters,
  items = [{ json: {} }],
  file,
  staticData = {},
  webhookUrl,
  continueOnFail = false,
}: N8nContext) {
  return {
    getCredentials: async () => credentials,
    getInputData: () => items,
    // Of an action: name, item, fallback. Of a trigger: name, fallback.
    getNodeParameter: (name: string, ...rest: unknown[]) => parameters[name] ?? rest.at(-1),
    getNodeWebhookUrl: () => webhookUrl,
    getWorkflowStaticData: () => staticData,
    continueOnFail: () => continueOnFail,
    helpers: {
      assertBinaryData: () => file!,
      getBinaryDataBuffer: async () => file!.bytes,
      async httpRequestWithAuthentication(_credential: string, { method, url, qs = {}, body }: Options) {
        const query = new URLSearchParams(
          Object.entries(qs).map(([key, value]): [string, string] => [key, String(value)]),
        ).toString();
        const response = await fetch(query === '' ? url : `${url}?${query}`, {
          method,
          headers: { authorization: `Bearer ${credentials.token}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
        return text === '' ? undefined : (JSON.parse(text) as unknown);
      },
    },
  };
}

/** A request at the webhook of a trigger. Returns what the node returns, and the status that it answered itself. */
export async function callTrigger(
  trigger: DocwrightTrigger,
  staticData: Record<string, unknown>,
  request: { body: Buffer; headers: Record<string, string | string[] | undefined> },
) {
  let status: number | undefined;
  const context = {
    getRequestObject: () => ({ rawBody: request.body, body: JSON.parse(request.body.toString()) as unknown }),
    getHeaderData: () => request.headers,
    getResponseObject: () => ({
      status(code: number) {
        status = code;
        return { send: () => ({ end: () => undefined }) };
      },
    }),
    getWorkflowStaticData: () => staticData,
  };
  return { answer: await trigger.webhook.call(context), status };
}
