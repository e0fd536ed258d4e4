import type { Document, ResultPage } from '@docwright/contract';
import { expect, vi } from 'vitest';
import { startMcpTestBench, type McpTestBench } from '../../apps/api/src/testing/mcp-test-bench.ts';
import { askedDocuments, type AskedDocument } from './asked-documents.ts';

export interface AskedProduct extends McpTestBench {
  /** Ids of documents by their name. */
  ids: ReadonlyMap<string, string>;
  promptIds: Readonly<Record<NonNullable<AskedDocument['prompt']>, string>>;
}

/** The product with the sixty documents, read and extracted as uploads are. */
export async function startAskedProduct(): Promise<AskedProduct> {
  const bench = await startMcpTestBench();
  const documents = askedDocuments.map(({ name, text }) => ({ name, content: Buffer.from(text).toString('base64') }));
  const uploaded = await bench.admin.post<{ documents: Document[] }>('./documents', { documents });
  const ids = new Map(uploaded.body.documents.map(({ document_name, id }) => [document_name, id]));
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  const promptIds = { Invoices: '', Contracts: '' };
  for (const prompt of ['Invoices', 'Contracts'] as const) {
    const content = 'Read the fields of the document.';
    const made = await bench.admin.post<{ prompt_id: string; prompt_revid: string }>('./prompts', {
      name: prompt,
      content,
    });
    promptIds[prompt] = made.body.prompt_id;
    const own = askedDocuments.filter((each) => each.prompt === prompt);
    bench.script(...own.map(({ fields }) => ({ text: JSON.stringify(fields) })));
    for (const { name } of own) {
      const { prompt_revid } = made.body;
      const { status } = await bench.admin.post(`./documents/${ids.get(name)!}/extractions`, { prompt_revid });
      if (status !== 201) throw new Error(`The extraction of ${name} answered ${status}.`);
    }
    // Answers say how many results their index lacks.
    const results = `./prompts/${promptIds[prompt]}/results`;
    await vi.waitFor(async () => expect((await bench.admin.get<ResultPage>(results)).body.lag).toBeUndefined(), 20_000);
  }
  return { ...bench, ids, promptIds };
}
