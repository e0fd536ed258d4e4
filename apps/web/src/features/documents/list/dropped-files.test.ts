import { expect, it } from 'vitest';
import { droppedFiles, maxDroppedFiles } from './dropped-files.ts';

const fileEntry = (name: string) => ({
  isFile: true,
  isDirectory: false,
  name,
  file: (resolve: (file: File) => void) => resolve(new File(['x'], name)),
});
const folder = (name: string, ...entries: unknown[]) => {
  const batches = [entries, []];
  return {
    isFile: false,
    isDirectory: true,
    name,
    createReader: () => ({ readEntries: (resolve: (batch: unknown) => void) => resolve(batches.shift()) }),
  };
};
const transferOf = (...entries: unknown[]) =>
  ({
    items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })),
    files: [new File(['x'], 'plain.pdf')],
  }) as unknown as DataTransfer;

const names = async (transfer: DataTransfer) => (await droppedFiles(transfer)).files.map(({ name }) => name);

it('reads the files of folders and of the folders in them, without hidden files', async () => {
  const inner = folder('2026', fileEntry('b.pdf'), fileEntry('.DS_Store'));
  const transfer = transferOf(folder('invoices', fileEntry('c.pdf'), inner), fileEntry('a.pdf'));
  expect(await names(transfer)).toEqual(['b.pdf', 'c.pdf', 'a.pdf']);
});

it('takes the files as they are without a folder', async () => {
  expect(await names(transferOf(fileEntry('plain.pdf')))).toEqual(['plain.pdf']);
});

it.each([
  [maxDroppedFiles, false],
  [maxDroppedFiles + 1, true],
])('takes a bounded number of files and says if there are more: %i', async (count, isCut) => {
  const entries = Array.from({ length: count }, (_, at) => fileEntry(`${at}.pdf`));
  const dropped = await droppedFiles(transferOf(folder('many', ...entries)));
  expect([dropped.files.length, dropped.isCut]).toEqual([maxDroppedFiles, isCut]);
});
