import { expect, it } from 'vitest';
import { createInMemoryDocumentServices } from '../../../testing/in-memory-document-services.ts';
import { documentAgentPrompt } from '../../system-prompt.ts';
import { searchPages } from './search-document.ts';

const filler = 'The parties agree on the delivery of goods and services as described in the annex. ';

/** 900 pages; only page 340 has the answer. */
const texts = Array.from({ length: 900 }, (_, index) => {
  if (index === 339)
    return `${filler.repeat(20)}\nThe notice period for termination of the lease is 14 weeks.\n${filler.repeat(5)}`;
  return `Section ${index + 1}\n${filler.repeat(25)}${index % 3 === 0 ? 'A notice is sent by mail. ' : ''}`;
});
const pages = texts.map((text, index) => ({ page_num: index + 1, text }));

it('ranks the page with the closest words first, in any inflection', async () => {
  const { pageCount, found } = await searchPages(pages, 'terminating the lease: notice periods');
  expect(pageCount).toBe(900);
  expect(found[0]).toMatchObject({ page_num: 340, words: expect.arrayContaining(['notice', 'lease']) });
  expect((await searchPages(pages, 'what is on page 512')).found[0]?.page_num).toBe(512);
  expect((await searchPages(pages, 'xylophone')).found).toEqual([]);
  expect((await searchPages(pages.slice(339, 340), 'the lease')).found[0]).toMatchObject({ page_num: 340 });
});

it('reads the pages one by one, and only the found ones again', async () => {
  const { documentAgentTools } = await import('../index.ts');
  const services = createInMemoryDocumentServices({ pages: texts });
  const tool = documentAgentTools.tools.find(({ name }) => name === 'search_document')!;
  const asked: (number | undefined)[] = [];
  const documents: typeof services.documents = {
    ...services.documents,
    text: (id, page_num) => {
      asked.push(page_num);
      return services.documents.text(id, page_num);
    },
  };
  const context = { services: { ...services, documents } } as unknown as Parameters<typeof tool.execute>[0];
  await tool.execute(context, { query: 'notice' });
  expect(asked).toHaveLength(8);
  expect(asked).not.toContain(undefined);
});

it('returns excerpts with the words; the prompt names the share that the model sees', async () => {
  const { documentAgentTools } = await import('../index.ts');
  const services = createInMemoryDocumentServices({ pages: texts });
  const tool = documentAgentTools.tools.find(({ name }) => name === 'search_document')!;
  const context = { services } as unknown as Parameters<typeof tool.execute>[0];
  const answer = (await tool.execute(context, { query: 'notice period for termination' })) as {
    hits: { page_num: number; excerpt: string }[];
  };
  expect(answer.hits[0]).toMatchObject({ page_num: 340 });
  expect(answer.hits[0]?.excerpt).toContain('14 weeks');
  expect(JSON.stringify(answer).length).toBeLessThan(10_000);
  const { system } = documentAgentPrompt({
    document: services.document,
    pages,
    mentions: [],
    state: { schema_revid: null, prompt_revid: null, extraction: null },
  });
  expect(system).toMatch(
    /You see 1 % of its text below: pages 1 to \d, .* of 900\. For anything else call search_document/,
  );
});
