/**
 * What of n8n's interfaces these nodes use. n8n itself is under a licence of its own, so nothing of it is a dependency;
 * `npm run interop` checks the nodes with n8n's package.
 */

export interface N8nRequestOptions {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  qs?: Record<string, string | number>;
  body?: unknown;
  json: true;
}

interface Context {
  getCredentials(name: string): Promise<Record<string, unknown>>;
  helpers: {
    /** Called with the context as `this`. */
    httpRequestWithAuthentication(this: Context, credential: string, options: N8nRequestOptions): Promise<unknown>;
  };
}

/** An item of a workflow. */
export interface Item {
  json: Record<string, unknown>;
  pairedItem?: { item: number };
}

export interface ExecuteContext extends Context {
  getInputData(): Item[];
  getNodeParameter(name: string, item: number, fallback?: unknown): unknown;
  continueOnFail(): boolean;
  helpers: Context['helpers'] & {
    assertBinaryData(item: number, property: string): { fileName?: string; mimeType: string };
    getBinaryDataBuffer(item: number, property: string): Promise<Buffer>;
  };
}

export interface HookContext extends Context {
  getNodeParameter(name: string, fallback?: unknown): unknown;
  getNodeWebhookUrl(name: 'default'): string | undefined;
  getWorkflowStaticData(kind: 'node'): Record<string, unknown>;
}

export interface WebhookContext {
  getRequestObject(): { rawBody?: Buffer; body: unknown };
  getHeaderData(): Record<string, string | string[] | undefined>;
  getResponseObject(): { status(code: number): { send(body: string): { end(): void } } };
  getWorkflowStaticData(kind: 'node'): Record<string, unknown>;
}

export interface WebhookAnswer {
  workflowData?: Item[][];
  noWebhookResponse?: boolean;
}

interface Property {
  displayName: string;
  name: string;
  type: string;
  default: unknown;
  required?: boolean;
  noDataExpression?: boolean;
  description?: string;
  placeholder?: string;
  typeOptions?: Record<string, unknown>;
  options?: { name: string; value: string; action?: string; description?: string }[];
  displayOptions?: { show: Record<string, string[]> };
}

export interface NodeDescription {
  displayName: string;
  name: string;
  icon: string;
  group: string[];
  version: number;
  subtitle?: string;
  description: string;
  defaults: { name: string };
  inputs: string[];
  outputs: string[];
  usableAsTool?: true;
  credentials: { name: string; required: boolean }[];
  webhooks?: { name: 'default'; httpMethod: 'POST'; responseMode: 'onReceived'; path: string; rawBody?: true }[];
  properties: Property[];
}

export interface CredentialDescription {
  properties: Property[];
}
