import { createHmac, timingSafeEqual } from 'node:crypto';
import { openApi } from './api.ts';
import type { HookContext, NodeDescription, WebhookAnswer, WebhookContext } from './n8n-types.ts';

const events: [string, string][] = [
  ['result.released', 'Result Released'],
  ['result.withdrawn', 'Result Withdrawn'],
  ['extraction.completed', 'Extraction Completed'],
  ['extraction.incomplete', 'Extraction Incomplete'],
  ['extraction.failed', 'Extraction Failed'],
  ['document.created', 'Document Created'],
  ['document.ready', 'Document Ready'],
  ['document.failed', 'Document Failed'],
  ['document.routed', 'Document Routed'],
  ['document.unsure', 'Document Unsure'],
  ['proposal.ready', 'Proposal Ready'],
  ['approval.waiting', 'Approval Waiting'],
  ['run.completed', 'Run Completed'],
  ['source.failing', 'Source Failing'],
  ['webhook.disabled', 'Webhook Disabled'],
  ['budget.exhausted', 'Budget Exhausted'],
];

/** Ids of events that have come: an event can come twice. */
const maxRemembered = 500;

/** The node "Docwright Trigger": starts a workflow with each event, through a signed webhook of its own. */
export class DocwrightTrigger {
  description: NodeDescription = {
    displayName: 'Docwright Trigger',
    name: 'docwrightTrigger',
    icon: 'fa:file-invoice',
    group: ['trigger'],
    version: 1,
    description: 'Starts when something happens in Docwright',
    defaults: { name: 'Docwright Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'docwrightApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook', rawBody: true }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: ['result.released'],
        options: events.map(([value, name]) => ({ name, value })),
      },
      {
        displayName: 'Prompt ID',
        name: 'promptId',
        type: 'string',
        default: '',
        description: 'Only events about results of this prompt. Empty for all.',
      },
      {
        displayName: 'With the Result',
        name: 'includeResult',
        type: 'boolean',
        default: true,
        description: 'Whether events about a result contain it',
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: HookContext): Promise<boolean> {
        const { webhookId } = this.getWorkflowStaticData('node');
        if (typeof webhookId !== 'string') return false;
        const api = await openApi(this);
        const found = await api
          .request<{ url: string; enabled: boolean }>('GET', `/webhooks/${webhookId}`)
          .catch(() => undefined);
        return found?.enabled === true && found.url === this.getNodeWebhookUrl('default');
      },
      async create(this: HookContext): Promise<boolean> {
        const url = this.getNodeWebhookUrl('default');
        if (url === undefined) return false;
        const api = await openApi(this);
        const promptId = String(this.getNodeParameter('promptId', '')).trim();
        const body = {
          url,
          types: this.getNodeParameter('events', []),
          include_result: this.getNodeParameter('includeResult', true) === true,
          ...(promptId !== '' && { filter: { prompt_id: promptId } }),
        };
        const { id, secret } = await api.request<{ id: string; secret: string }>('POST', '/webhooks', { body });
        Object.assign(this.getWorkflowStaticData('node'), { webhookId: id, secret, seen: [] });
        return true;
      },
      async delete(this: HookContext): Promise<boolean> {
        const data = this.getWorkflowStaticData('node');
        if (typeof data['webhookId'] === 'string') {
          const api = await openApi(this);
          // One that is gone needs no deletion.
          await api.request('DELETE', `/webhooks/${data['webhookId']}`).catch(() => undefined);
        }
        for (const key of ['webhookId', 'secret', 'seen']) delete data[key];
        return true;
      },
    },
  };

  /** Takes a request: refuses one that is not signed, and passes each event on once. */
  async webhook(this: WebhookContext): Promise<WebhookAnswer> {
    const data = this.getWorkflowStaticData('node');
    const { rawBody, body } = this.getRequestObject();
    const bytes = rawBody ?? JSON.stringify(body);
    const { secret } = data;
    if (typeof secret !== 'string' || !isSigned(bytes, this.getHeaderData(), secret)) {
      this.getResponseObject().status(401).send('The signature is not valid.').end();
      return { noWebhookResponse: true };
    }
    const event = JSON.parse(bytes.toString()) as Record<string, unknown> & { id: string };
    const seen = Array.isArray(data['seen']) ? (data['seen'] as string[]) : [];
    if (seen.includes(event.id)) return {};
    data['seen'] = [...seen, event.id].slice(-maxRemembered);
    return { workflowData: [[{ json: event }]] };
  }
}

/** Requests that are older or from the future are refused, so that nobody can repeat them. */
const toleranceSeconds = 5 * 60;

/** The headers of a request, in lower case. */
type Headers = Record<string, string | string[] | undefined>;

/** Whether a request is signed as Standard Webhooks defines it, with one of the secrets of its sender. */
function isSigned(body: Buffer | string, headers: Headers, secret: string, now = Date.now()): boolean {
  const header = (name: string) => String(headers[name] ?? '');
  const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')];
  if (!/^\d+$/u.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds) return false;
  const key = Buffer.from(secret.replace(/^whsec_/u, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
