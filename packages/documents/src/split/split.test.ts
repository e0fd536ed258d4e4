import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openPdf } from '../pdf/open-pdf.ts';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { buildPdf, line } from '../testing/build-pdf.ts';
import { invoices } from '../testing/invoice-file.ts';
import { extractPages } from './extract-pages.ts';
import { createSplitProposer, isSureSplit } from './propose-split.ts';

it('finds the boundaries of invoices in one file', async () => {
  let [correct, proposed, expected] = [0, 0, 0];
  for (const seed of [1, 2]) {
    const { bytes, starts } = invoices(15, seed);
    const proposer = createSplitProposer();
    for (const page of (await openPdf(bytes, defaultParseLimits)).pages) proposer.add(page);
    const parts = proposer.propose('file');
    const found = parts.slice(1).map(({ pages }) => pages[0]![0]);
    correct += found.filter((page) => starts.includes(page)).length;
    proposed += found.length;
    expected += starts.length - 1;
    expect(parts.every(({ reason, probability }) => reason !== '' && probability >= 0.5)).toBe(true);
  }
  expect((2 * correct) / (proposed + expected)).toBeGreaterThanOrEqual(0.95);
});

it('separates receipts by their date and time, and does not split a list of calls', async () => {
  const proposed = async (texts: string[][]) => {
    const proposer = createSplitProposer();
    const pages = texts.map((lines) => ({
      content: lines.map((text, at) => line(text, 50, 760 - at * 18, 10)).join(''),
    }));
    for (const page of (await openPdf(buildPdf({ pages }), defaultParseLimits)).pages) proposer.add(page);
    return proposer.propose('file').map(({ pages: [range] }) => range);
  };
  const receipt = (shop: string, moment: string) => [
    shop,
    '12 Market Street',
    moment,
    'Tea 2.40',
    'Bread 3.10',
    'Cash 5.50',
  ];
  const receipts = [receipt('Corner Cafe', '09/03/2018 21:26'), receipt('Mill Bakery', '11.03.2018, 08:02')];
  expect(await proposed(receipts)).toEqual([
    [1, 1],
    [2, 2],
  ]);
  const calls = [1, 2, 3].map((page) =>
    Array.from(
      { length: 40 },
      (_, at) => `0${page}/03/2018 ${10 + (at % 12)}:26 call to 0700 900${page}${at}, 3 minutes`,
    ),
  );
  expect(await proposed(calls)).toEqual([[1, 3]]);
});

it('takes an unclear page for a start where most pages surely are, and leaves the decision to a user', async () => {
  const unclear = Array.from({ length: 34 }, (_, at) => `remark ${'abcdefghijklmnopqrstuvwxyz'[at % 26]} of somebody`);
  const invoice = (at: number) => [`Invoice R-10${at}`, `Page 1 of 1`, `Buyer ${'abcdefghijkl'[at]}xyz`, 'Total 5.00'];
  const proposed = async (sure: number) => {
    const texts = [...Array.from({ length: sure }, (_, at) => invoice(at + 1)), unclear.slice(0, 4), unclear];
    const pages = texts.map((lines) => ({
      content: lines.map((text, at) => line(text, 50, 780 - at * 20, 10)).join(''),
    }));
    const proposer = createSplitProposer();
    for (const page of (await openPdf(buildPdf({ pages }), defaultParseLimits)).pages) proposer.add(page);
    return proposer.propose('file');
  };
  const few = await proposed(3);
  const many = await proposed(11);
  expect(few).toHaveLength(4);
  expect(many).toHaveLength(13);
  expect([few, many].map(isSureSplit)).toEqual([false, false]);
});

it('makes a PDF of each part, with unchanged pages', async () => {
  const pages = ['one', 'two', 'three'].map((text) => ({ content: line(text, 50, 700) }));
  const files: Uint8Array[] = [];
  const bytes = buildPdf({ pages });
  await extractPages({ bytes, parts: [[3, 1], [2]], onFile: (file, index) => void (files[index] = file) });
  const texts = await Promise.all(
    files.map(async (file) => Array.from((await openPdf(file, defaultParseLimits)).pages, ({ text }) => text)),
  );
  expect(texts).toEqual([['three', 'one'], ['two']]);
});

it('makes a file only after `onFile` has resolved for the previous one, and rejects with its error', async () => {
  const pages = ['one', 'two', 'three'].map((text) => ({ content: line(text, 50, 700) }));
  const taken: number[] = [];
  let active = 0;
  const onFile = async (_file: Uint8Array, index: number) => {
    active += 1;
    expect(active).toBe(1);
    await sleep(20);
    active -= 1;
    taken.push(index);
    if (index === 1) throw new Error('The disk is full.');
  };
  const splitting = extractPages({ bytes: buildPdf({ pages }), parts: [[1], [2], [3]], onFile });
  await expect(splitting).rejects.toThrow('The disk is full.');
  expect(taken).toEqual([0, 1]);
});
