import type { Document, Extraction, Prompt, Schema } from '@docwright/contract';
import type { Browser, Page } from 'playwright-core';
import type { Product } from '../../product/product.ts';
import { followLink } from './browser.ts';

/** A signed-in page, and the API with the page's session. */
export interface Desk {
  page: Page;
  call: <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>;
  /** The same below `/api/v2`. */
  callV2: <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>;
  /** Uploads a file; resolves before its text is read. */
  upload: (name: string, content: Uint8Array) => Promise<Document>;
  /** Waits until a document's text is read. */
  read: (document: Document) => Promise<void>;
  /** Creates a schema with these properties, and a prompt with the schema. */
  prompt: (name: string, properties: Record<string, unknown>) => Promise<Prompt>;
  extract: (document: Document, prompt: Prompt) => Promise<Extraction>;
  /** Goes to the document's page as a link does. */
  open: (document: Document, search?: string) => Promise<void>;
}

export const strictObject = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

export async function openDesk(browser: Browser, product: Pick<Product, 'url' | 'link'>): Promise<Desk> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  page.setDefaultTimeout(45_000);
  page.setDefaultNavigationTimeout(60_000);
  await page.goto(product.link);
  await page.getByLabel('Files to upload').first().waitFor({ state: 'attached' });
  return await deskOf(page, product);
}

/** The same on a page that is signed in already. */
export async function deskOf(page: Page, product: Pick<Product, 'url' | 'link'>): Promise<Desk> {
  const me = await (await page.request.get(`${product.url}/v0/me`)).json();
  const orgId = me.organizations[0].id;

  async function request<Answer>(method: string, path: string, body: unknown): Promise<Answer> {
    const headers = { origin: product.url, accept: 'application/json', 'x-org-id': orgId };
    const answer = await page.request.fetch(product.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { data: body }),
    });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }
  const call: Desk['call'] = (method, path, body) => request(method, `/v0/orgs/${orgId}${path}`, body);

  return {
    page,
    call,
    callV2: (method, path, body) => request(method, `/api/v2${path}`, body),
    async upload(name, content) {
      const file = { name, content: Buffer.from(content).toString('base64') };
      const { documents } = await call<{ documents: [Document] }>('POST', '/documents', { documents: [file] });
      return documents[0];
    },
    async read({ id }) {
      const reading = new Set(['uploaded', 'ocr_processing']);
      for (let look = 0; look < 240; look += 1) {
        const { state, state_error } = await call<Document>('GET', `/documents/${id}`);
        if (state_error) throw new Error(state_error.message);
        if (!reading.has(state)) return;
        await page.waitForTimeout(100);
      }
      throw new Error('The document was not read.');
    },
    async prompt(name, properties) {
      const format = { name: 'values', strict: true, schema: strictObject(properties) };
      const schema = await call<Schema>('POST', '/schemas', {
        name,
        response_format: { type: 'json_schema', json_schema: format },
      });
      return await call<Prompt>('POST', '/prompts', {
        name,
        content: 'Extract the values.',
        schema_id: schema.schema_id,
      });
    },
    extract: ({ id }, { prompt_revid }) => call<Extraction>('POST', `/documents/${id}/extractions`, { prompt_revid }),
    async open({ id }, search = '') {
      await followLink(page, `/documents/${id}${search}`);
    },
  };
}
