import { expect, it } from 'vitest';
import { boundedContent } from '../tool/bounded-content.ts';
import type { ToolContext } from '../tool/tool.ts';
import { enclosingBoxes, searchPassages } from './passages.ts';
import { nothingShown, type AskPassage, type AskServices } from './services.ts';

const line = (x0: number, y0: number, x1 = x0 + 0.36) => ({ page_num: 3, x0, y0, x1, y1: y0 + 0.0137 });

interface Answer {
  passages: { text: string; boxes: unknown }[];
}

it('joins the lines of a passage to one box, and keeps a second where it goes on in another column', () => {
  const left = [0.8123, 0.8301, 0.8479].map((y0) => line(0.1, y0));
  const right = [0.1, 0.1178].map((y0) => line(0.55, y0));
  expect(enclosingBoxes(left)).toEqual([{ page_num: 3, x0: 0.1, y0: 0.812, x1: 0.46, y1: 0.862 }]);
  expect(enclosingBoxes([...left, ...right])).toEqual([
    { page_num: 3, x0: 0.1, y0: 0.812, x1: 0.46, y1: 0.862 },
    { page_num: 3, x0: 0.55, y0: 0.1, x1: 0.91, y1: 0.132 },
  ]);
});

it('joins what lies closest together where a passage stands in more than two places, and loses none of it', () => {
  const scattered = [line(0.1, 0.1), line(0.1, 0.2), line(0.1, 0.9)];
  expect(enclosingBoxes(scattered)).toEqual([
    { page_num: 3, x0: 0.1, y0: 0.1, x1: 0.46, y1: 0.214 },
    { page_num: 3, x0: 0.1, y0: 0.9, x1: 0.46, y1: 0.914 },
  ]);
});

it('shows the model as many passages as without boxes, each with its place', async () => {
  const passages: AskPassage[] = Array.from({ length: 20 }, (_, at) => ({
    document_id: String(at).padStart(24, '0'),
    document_name: `Contract ${at} with Larkfield Estates.pdf`,
    page_num: 3,
    text: `${at} ${'The tenant pays the rent in advance. '.repeat(19)}`.trim(),
    boxes: Array.from({ length: 9 }, (_line, row) => line(0.1043 + row / 100_000, 0.2 + row * 0.0171, 0.8961)),
  }));
  const found = async (_query: string, limit: number) => ({
    passages: passages.slice(0, limit),
    matched_documents: 20,
  });
  const services = { search: found, shown: nothingShown() } as unknown as AskServices;
  const context = { services, origin: { call_id: 'c1' } } as ToolContext<AskServices>;
  const search = async (limit: number) => (await searchPassages.execute(context, { query: 'rent', limit })) as Answer;
  const answer = await search(8);
  const shown = JSON.parse(boundedContent(answer, 'search_passages')) as Answer;
  expect(shown).toEqual(answer);
  expect(answer.passages).toHaveLength(8);
  for (const { boxes } of answer.passages) {
    expect(boxes).toEqual([{ page_num: 3, x0: 0.104, y0: expect.any(Number), x1: 0.897, y1: expect.any(Number) }]);
  }
  // What is cited keeps the box of each line.
  const [cited] = services.shown.evidence.values();
  expect(cited).toMatchObject({ boxes: { length: 9 } });

  const most = await search(20);
  const withoutBoxes = { ...most, passages: most.passages.map((passage) => ({ ...passage, boxes: undefined })) };
  const wholeIn = (content: unknown) =>
    passages.filter(({ text }) => boundedContent(content, 'search_passages').includes(JSON.stringify(text))).length;
  expect(wholeIn(most)).toBeGreaterThanOrEqual(wholeIn(withoutBoxes) - 1);
});
