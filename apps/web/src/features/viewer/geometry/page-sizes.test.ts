import { expect, it } from 'vitest';
import { readPageSizes } from './page-sizes.ts';
import type { PageSize } from './zoom.ts';

const portrait = { width: 595, height: 842 };
const landscape = { width: 842, height: 595 };

/** A PDF with these page sizes; `undefined` for a page that cannot be loaded. */
function pdfOf(sizes: (PageSize | undefined)[]) {
  const loadingTask = { destroyed: false };
  const requestedPages: number[] = [];
  return {
    numPages: sizes.length,
    loadingTask,
    requestedPages,
    async getPage(number: number) {
      requestedPages.push(number);
      const size = sizes[number - 1];
      if (size === undefined || loadingTask.destroyed) throw new Error('Transport destroyed');
      return {
        getViewport: ({ scale }: { scale: number }) => ({ width: size.width * scale, height: size.height * scale }),
      };
    },
  };
}

async function reportedSizes(pdf: ReturnType<typeof pdfOf>): Promise<PageSize[][]> {
  const reports: PageSize[][] = [];
  await readPageSizes(pdf, (sizes) => reports.push(sizes));
  return reports;
}

it('reports the size of the first page for all, and again only if pages differ', async () => {
  expect(await reportedSizes(pdfOf([portrait, portrait]))).toEqual([[portrait, portrait]]);
  expect(await reportedSizes(pdfOf([portrait, landscape]))).toEqual([
    [portrait, portrait],
    [portrait, landscape],
  ]);
});

it('gives a page that cannot be loaded the size of the first one', async () => {
  expect((await reportedSizes(pdfOf([landscape, undefined, portrait]))).at(-1)).toEqual([
    landscape,
    landscape,
    portrait,
  ]);
  expect(await reportedSizes(pdfOf([undefined]))).toEqual([[portrait]]);
});

it('stops without an error when the document is closed', async () => {
  const pdf = pdfOf([portrait, landscape, portrait]);
  const reports: PageSize[][] = [];
  await readPageSizes(pdf, (sizes) => {
    reports.push(sizes);
    pdf.loadingTask.destroyed = true;
  });
  expect(reports).toHaveLength(1);
  expect(pdf.requestedPages).toEqual([1]);
});
