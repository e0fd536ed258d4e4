import type { Page } from '@docwright/documents';
import { valueDoubts } from '../../../apps/api/src/features/extractions/asking/value-doubts.ts';
import type { AskedDocument } from './asked-documents.ts';

interface ModelAddress {
  baseUrl: string;
  model: string;
}

/** Fills the schema of a document with a model behind an OpenAI-compatible address. */
export async function extractValues(
  address: ModelAddress,
  document: Pick<AskedDocument, 'file' | 'schema'>,
  pages: readonly Page[],
): Promise<Record<string, unknown>> {
  return (await extractWithDoubts(address, document, pages)).result;
}

/** As `extractValues`, with the model's doubt in each value by path, 0 to 1, as the product has it. */
export async function extractWithDoubts(
  { baseUrl, model }: ModelAddress,
  { file, schema }: Pick<AskedDocument, 'file' | 'schema'>,
  pages: readonly Page[],
): Promise<{ result: Record<string, unknown>; doubts: Record<string, number> }> {
  const pagesText = pages.map((page) => `<page number="${page.page_num}">\n${page.text}\n</page>`).join('\n');
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [
        {
          role: 'user',
          content: `Extract.\n\n<document name="${file}" pages="${pages.length}">\n${pagesText}\n</document>`,
        },
      ],
      logprobs: true,
      response_format: { type: 'json_schema', json_schema: { name: 'bench', strict: true, schema } },
    }),
  });
  const { choices } = (await response.json()) as Completion;
  const text = choices[0]?.message.content ?? '{}';
  const tokens = (choices[0]?.logprobs?.content ?? []).map(({ token, logprob }) => ({
    length: token.length,
    probability: Math.exp(logprob),
  }));
  return { result: JSON.parse(text) as Record<string, unknown>, doubts: valueDoubts(text, tokens) };
}

interface Completion {
  choices: {
    message: { content: string };
    logprobs?: { content: { token: string; logprob: number }[] } | null;
  }[];
}
