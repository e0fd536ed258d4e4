import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { McpOutcome } from './calls/call-outcome.ts';

const scheme = 'docwright://documents/';
const pattern = /^docwright:\/\/documents\/([0-9a-f]{24})(?:\/pages\/([1-9]\d{0,5}))?$/;
const pageSize = 50;

const listed = z.object({
  documents: z.array(z.object({ id: z.string(), document_name: z.string() })),
  next_cursor: z.string().optional(),
});
const text = z.object({
  page_count: z.number().nullable(),
  pages: z.array(
    z.object({
      page_num: z.number(),
      text: z.string(),
      cut_characters: z.number().optional(),
      not_read: z.array(z.string()).optional(),
    }),
  ),
  next_page_num: z.number().optional(),
});

/**
 * Offers documents as resources: the text of each under its URI. They are read by the tools, so that the same rules
 * apply and the audit log contains every read.
 * @param call calls a tool in the user's name.
 */
export function offerResources(
  server: Server,
  call: (tool: string, args: Record<string, unknown>, context: ServerContext) => Promise<McpOutcome>,
): void {
  async function read<Schema extends z.ZodType>(
    schema: Schema,
    context: ServerContext,
    [tool, args]: [tool: string, args: object],
  ): Promise<z.infer<Schema>> {
    const outcome = await call(tool, { ...args }, context);
    if (outcome.kind === 'done' && outcome.success) return schema.parse(outcome.result);
    const reason =
      outcome.kind === 'done' && !outcome.success ? outcome.error : 'A rule requires approval: call the tool instead.';
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, reason);
  }

  server.setRequestHandler('resources/list', async ({ params }, context) => {
    const page = { limit: pageSize, ...(params?.cursor !== undefined && { cursor: params.cursor }) };
    const { documents, next_cursor: nextCursor } = await read(listed, context, ['list_documents', page]);
    return {
      resources: documents.map(({ id, document_name }) => ({
        uri: `${scheme}${id}`,
        name: document_name,
        mimeType: 'text/plain',
        description: 'The text of the document, as laid out on its pages.',
      })),
      ...(nextCursor !== undefined && { nextCursor }),
    };
  });

  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: `${scheme}{document_id}/pages/{page_num}`,
        name: 'A page of a document',
        mimeType: 'text/plain',
        description: 'The text of one page, counted from 1.',
      },
    ],
  }));

  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const [, document_id, page] = pattern.exec(uri) ?? [];
    if (document_id === undefined) throw new ResourceNotFoundError(uri);
    const page_num = page === undefined ? {} : { page_num: Number(page) };
    const found = await read(text, context, ['get_ocr_text', { document_id, ...page_num }]);
    const pages = found.pages.map(({ text: words, cut_characters, not_read = [] }) =>
      [
        words,
        ...(cut_characters === undefined ? [] : [`[${cut_characters} more characters on this page]`]),
        ...not_read.map((part) => `[Not read: ${part}]`),
      ].join('\n'),
    );
    const rest =
      found.next_page_num === undefined
        ? []
        : [
            `[The document continues: ${scheme}${document_id}/pages/${found.next_page_num}, of ${found.page_count} pages]`,
          ];
    return { contents: [{ uri, mimeType: 'text/plain', text: [...pages, ...rest].join('\n\f\n') }] };
  });
}
