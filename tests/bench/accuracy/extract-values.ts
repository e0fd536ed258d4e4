import type { Page } from '@docwright/documents';
import type { AskedDocument } from './asked-documents.ts';

/** Fills the schema of a document with a model behind an OpenAI-compatible address. */
export async function extractValues(
  { baseUrl, model }: { baseUrl: string; model: string },
  { file, schema }: Pick<AskedDocument, 'file' | 'schema'>,
  pages: readonly Page[],
): Promise<Record<string, unknown>> {
  const text = pages.map((page) => `<page number="${page.page_num}">\n${page.text}\n</page>`).join('\n');
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [
        {
          role: 'user',
          content: `Extract.\n\n<document name="${file}" pages="${pages.length}">\n${text}\n</document>`,
        },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'bench', strict: true, schema } },
    }),
  });
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  return JSON.parse(body.choices[0]?.message.content ?? '{}') as Record<string, unknown>;
}
