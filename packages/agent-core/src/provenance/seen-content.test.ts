import { expect, it } from 'vitest';
import { longestTurn } from '../../../../tests/timing/longest-turn.ts';
import { contentOfResult } from './read-content.ts';
import { productList } from './product-messages.ts';
import { indexPages, inSteps, noGivenContent, seenContentInSteps, type SeenContent } from './seen-content.ts';
import { readSentences } from './spoken-orders.ts';
import { seenContent } from '../testing/seen-at-once.ts';
import { wordsOf } from './text/text-index.ts';

const tools = { get: () => undefined };

it(
  'indexes a long document in steps between which other work continues, and finds the same as at once',
  { retry: 2 },
  async () => {
    const pagesOf = () =>
      Array.from({ length: 1_000 }, (_, at) => ({
        page_num: at + 1,
        text: `Invoice ${at} of Contoso, total ${at}.50 EUR, due on 1 December 2026. `.repeat(80),
      }));
    const pages = pagesOf();
    const { longest, total } = await longestTurn(() => indexPages(pages));
    expect(longest).toBeLessThan(Math.max(100, total / 3));
    const judging = process.threadCpuUsage();
    const { document } = seenContent([], tools, { ...noGivenContent, pages });
    expect(process.threadCpuUsage(judging).user / 1_000).toBeLessThan(50);
    const phrase = wordsOf('Invoice 777 of Contoso');
    expect(document.find(phrase)).toMatchObject({ place: { found_in: 'page', page_num: 778 } });
    const atOnce = seenContent([], tools, { ...noGivenContent, pages: pagesOf() }).document;
    expect(document.find(phrase)).toEqual(atOnce.find(phrase));
  },
);

it.each([
  ['words', 'Delete the tag “Über” and rename the rest.\n'],
  ['letters that are words', '删除标签并重命名其余的'],
])('reads a long message of %s in steps, and finds the same as at once', { retry: 2 }, async (_, text) => {
  const messages = [{ role: 'user' as const, content: text.repeat(Math.floor(200_000 / text.length)) }];
  const reading: SeenContent[] = [];
  const { longest, total } = await longestTurn(async () => {
    reading.push(await inSteps(seenContentInSteps(messages, tools, noGivenContent)));
  });
  expect(longest).toBeLessThan(Math.max(100, total / 3));
  const atOnce = seenContent(messages, tools);
  for (const phrase of ['rename the rest delete the tag', '其余的删除标签'].map((each) => wordsOf(each))) {
    expect(reading[0]!.ownWords.find(phrase)).toEqual(atOnce.ownWords.find(phrase));
  }
  expect(reading[0]!.messages).toEqual(atOnce.messages);
});

it.each([
  ['quotations', '“a b” '],
  ['single quotations', "'a b' "],
  ['lines', 'a\n'],
  ['rows of a table', 'a | b |\n'],
  ['letters without spaces', 'e\u0301'],
  ['a sentence', 'delete it, '],
  ['sentences', 'Delete it. '],
])('reads a long message of %s in steps of less than 50 ms', { retry: 2 }, (_, text) => {
  const messages = [{ role: 'user' as const, content: text.repeat(Math.floor(200_000 / text.length)) }];
  let longest = 0;
  const read = <Read>(steps: Iterator<void, Read>): Read => {
    for (;;) {
      const started = process.threadCpuUsage();
      const step = steps.next();
      longest = Math.max(longest, process.threadCpuUsage(started).user / 1_000);
      if (step.done === true) return step.value;
    }
  };
  read(readSentences(read(seenContentInSteps(messages, tools, noGivenContent)).ownWords));
  expect(longest).toBeLessThan(50);
});

it('leaves lists of the product out of what a user said, also many of them', () => {
  const content = `First ${productList([{ name: 'Delete tag Alpha now' }]).repeat(10_000)} second <kinds>\nthird`;
  const judging = process.threadCpuUsage();
  const { person } = seenContent([{ role: 'user', content }], tools, noGivenContent);
  expect(process.threadCpuUsage(judging).user / 1_000).toBeLessThan(500);
  expect(person.find(wordsOf('Delete tag Alpha now'))).toBeUndefined();
  expect(person.find(wordsOf('second kinds third'))).toBeDefined();
});

it('counts no part of a mentioned name as said, although its beginning is the name of another object', () => {
  const long = 'Delete all tags of Alpha and all prompts';
  const known = ['Delete all tags', long].map((name) => ({ ids: [], names: [name] }));
  const content = `Compare @${long} with the list`;
  const { person, mentioned } = seenContent([{ role: 'user', content }], tools, { ...noGivenContent, known });
  expect([...mentioned]).toEqual([wordsOf(long).join(' ')]);
  expect(person.find(wordsOf('and all prompts'))).toBeUndefined();
});

it('counts errors and written ids as names, without what the product itself says of ids and tools', () => {
  const fieldsOf = (result: object) => contentOfResult({}, result).objects.flatMap(({ fields = [] }) => fields);
  expect(fieldsOf({ error: 'The prompts "a b c" use delete it now.' })).toEqual([
    'The prompts "a b c" use delete it now.',
  ]);
  const hints = `The tag “Paid” exists (tag_id ${'a'.repeat(24)}): use it. run_extraction makes one.`;
  expect(fieldsOf({ error: hints })).toEqual(['The tag “Paid” exists: use it.  makes one.']);
  const refusal = 'has no argument "delete the tag now" (use name); update_tag takes tag_id, name. Nothing was done.';
  expect(fieldsOf({ error: `The arguments do not fit update_tag: it ${refusal}` })).toEqual([
    'it has no argument "delete the tag now" (use name)',
  ]);
  const unfit = '✖ Invalid option: expected one of "open"|"done"|"all"\n  → at delete the tag';
  expect(fieldsOf({ error: `The arguments do not fit update_task: ${unfit}` })).toEqual(['\n  → at delete the tag']);
  const models = [{ id: 'delete the tag' }, { id: 'a0'.repeat(12) }, { ids: ['rename-it-now'] }];
  expect(fieldsOf({ models })).toEqual(['delete the tag', 'rename-it-now']);
});

it.each([5_000, 100_000])(
  'counts a result that is nested %s deep as text of documents, and a listed row as a name',
  (depth) => {
    const deep = `${'{"text":['.repeat(depth)}"Delete tag Alpha"${']}'.repeat(depth)}`;
    const calls = ['read_document', 'unknown'].map((name) => ({ id: name, name, arguments: '{}' }));
    const { document, person } = seenContent(
      [
        { role: 'user', content: `<kinds>\n${deep}\n</kinds>` },
        { role: 'assistant', content: '', toolCalls: calls },
        ...calls.map(({ id }) => ({ role: 'tool' as const, callId: id, content: deep })),
      ],
      tools,
    );
    expect(document.find(wordsOf('Delete tag Alpha'))).toMatchObject({ place: { found_in: 'tool_result' } });
    expect(person.find(wordsOf('Delete tag Alpha'))).toBeUndefined();
  },
);
