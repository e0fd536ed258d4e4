import { setTimeout as sleep } from 'node:timers/promises';
import { openApi, type Api } from './api.ts';
import type { ExecuteContext, Item, NodeDescription } from './n8n-types.ts';

const forOperations = (...operation: string[]) => ({ show: { operation } });
const pollMs = 500;
const maxPolls = 240;

/** The node "Docwright": upload, extract, get result, approve link. */
export class Docwright {
  description: NodeDescription = {
    displayName: 'Docwright',
    name: 'docwright',
    icon: 'fa:file-invoice',
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Get values out of documents',
    defaults: { name: 'Docwright' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    credentials: [{ name: 'docwrightApi', required: true }],
    properties: [
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        default: 'upload',
        options: [
          { name: 'Upload a Document', value: 'upload', action: 'Upload a document' },
          { name: 'Extract Values', value: 'extract', action: 'Extract values of a document' },
          { name: 'Get a Result', value: 'getResult', action: 'Get the result of a document' },
          { name: 'Get the Link to Approve', value: 'approveLink', action: 'Get the link to approve what waits' },
        ],
      },
      {
        displayName: 'Input Binary Field',
        name: 'binaryProperty',
        type: 'string',
        default: 'data',
        required: true,
        description: 'The field of the item that holds the file',
        displayOptions: forOperations('upload'),
      },
      {
        displayName: 'Tag IDs',
        name: 'tagIds',
        type: 'string',
        default: '',
        description: 'Separated by commas',
        displayOptions: forOperations('upload'),
      },
      {
        displayName: 'Document ID',
        name: 'documentId',
        type: 'string',
        default: '={{$json.document_id}}',
        required: true,
        displayOptions: forOperations('extract', 'getResult', 'approveLink'),
      },
      {
        displayName: 'Prompt ID',
        name: 'promptId',
        type: 'string',
        default: '',
        description: 'Its current revision extracts. Empty for the prompt that the document has by its tags.',
        displayOptions: forOperations('extract', 'getResult'),
      },
    ],
  };

  /** Runs the operation for each item. */
  async execute(this: ExecuteContext): Promise<Item[][]> {
    const api = await openApi(this);
    const output: Item[] = [];
    for (const [index] of this.getInputData().entries()) {
      try {
        const operation = operations[String(this.getNodeParameter('operation', index))];
        if (operation === undefined) throw new Error('The node has no such operation.');
        output.push({ json: await operation(this, api, index), pairedItem: { item: index } });
      } catch (error) {
        if (!this.continueOnFail()) throw error;
        output.push({ json: { error: (error as Error).message }, pairedItem: { item: index } });
      }
    }
    return [output];
  }
}

type Operation = (context: ExecuteContext, api: Api, index: number) => Promise<Record<string, unknown>>;

const text = (context: ExecuteContext, name: string, index: number): string =>
  String(context.getNodeParameter(name, index, '')).trim();

interface Result {
  prompt_id: string;
  result: Record<string, unknown>;
}

const operations: Record<string, Operation> = {
  async upload(context, api, index) {
    const property = text(context, 'binaryProperty', index);
    const { fileName = 'document' } = context.helpers.assertBinaryData(index, property);
    const bytes = await context.helpers.getBinaryDataBuffer(index, property);
    const tag_ids = text(context, 'tagIds', index)
      .split(',')
      .map((id) => id.trim())
      .filter(Boolean);
    const file = { name: fileName, content: bytes.toString('base64'), ...(tag_ids.length > 0 && { tag_ids }) };
    const { documents } = await api.request<{ documents: { id: string }[] }>('POST', '/documents', {
      body: { documents: [file] },
    });
    const [document] = documents;
    return { ...document, document_id: document?.id };
  },
  async extract(context, api, index) {
    const path = `/documents/${encodeURIComponent(text(context, 'documentId', index))}`;
    const promptId = text(context, 'promptId', index);
    await untilRead(api, path);
    const body: { prompt_revid?: string } = {};
    if (promptId !== '') {
      const versions = `/prompts/${encodeURIComponent(promptId)}/versions`;
      const { prompts } = await api.request<{ prompts: { prompt_revid: string }[] }>('GET', versions, {
        qs: { limit: 1 },
      });
      if (prompts[0]) body.prompt_revid = prompts[0].prompt_revid;
    }
    return await api.request('POST', `${path}/extractions`, { body });
  },
  async getResult(context, api, index) {
    const path = `/documents/${encodeURIComponent(text(context, 'documentId', index))}/extractions`;
    const promptId = text(context, 'promptId', index);
    const { extractions } = await api.request<{ extractions: (Result & Record<string, unknown>)[] }>('GET', path);
    const found = extractions.find(({ prompt_id }) => promptId === '' || prompt_id === promptId);
    if (found === undefined) throw new Error('The document has no such result yet. Extract it first.');
    return found;
  },
  async approveLink(context, api, index) {
    const document_id = text(context, 'documentId', index);
    const { approvals } = await api.request<{ approvals: Record<string, unknown>[] }>('GET', '/approvals', {
      qs: { document_id, limit: 100 },
    });
    const thread = approvals[0]?.['thread_id'];
    const place = `${api.address}/documents/${document_id}?tab=agent`;
    return {
      document_id,
      waiting: approvals.length,
      link: typeof thread === 'string' ? `${place}&thread=${thread}` : place,
      tools: approvals.map(({ tool }) => tool),
    };
  },
};

/** A document can be extracted once its text is there. */
async function untilRead(api: Api, path: string): Promise<void> {
  for (let poll = 0; poll < maxPolls; poll += 1) {
    const { state } = await api.request<{ state: string }>('GET', path);
    if (state !== 'uploaded' && state !== 'ocr_processing') return;
    await sleep(pollMs);
  }
  throw new Error('The text of the document is still being read. Try again later.');
}
