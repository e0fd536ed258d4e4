import { buildPdf, line, type TestPage } from './build-pdf.ts';
import { randomFrom } from './table-pdf.ts';

const goods = 'chair table lamp shelf carpet mirror curtain cabinet pillow blanket drawer stool bench clock vase'.split(
  ' ',
);

/** A PDF of invoices of one to four pages. Half of them have the same issuer, and some have no page numbers. */
export function invoices(count: number, seed: number): { bytes: Uint8Array; starts: number[] } {
  const random = randomFrom(seed);
  const pages: TestPage[] = [];
  const starts: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const issuer = random() < 0.5 ? 'Northwind Traders Ltd' : `Company ${Math.floor(random() * 900)} and Partners`;
    const number = `INV-${10_000 + Math.floor(random() * 80_000)}`;
    const total = 1 + Math.floor(random() * 4);
    const isNumbered = random() < 0.7;
    starts.push(pages.length + 1);
    for (let page = 1; page <= total; page += 1) {
      let content = line(issuer, 50, 750, 14);
      if (page === 1) {
        content +=
          line(`Invoice ${number}`, 50, 700, 18) + line(`Date ${2020 + (index % 6)}-03-${10 + (index % 18)}`, 50, 680);
        content += line(
          `To: Customer ${Math.floor(random() * 500)}, ${Math.floor(random() * 90)} Long Street`,
          50,
          660,
        );
      } else content += line(`Invoice ${number}, continued`, 50, 720, 10);
      const rows = page === total ? 5 + Math.floor(random() * 20) : 38;
      for (let row = 0; row < rows; row += 1) {
        const good = goods[Math.floor(random() * goods.length)]!;
        content += line(`${good} ${goods[Math.floor(random() * goods.length)]}`, 50, 630 - row * 15, 10);
        content += line((random() * 900).toFixed(2), 450, 630 - row * 15, 10);
      }
      if (isNumbered) content += line(total > 1 ? `Page ${page} of ${total}` : 'Page 1', 280, 30, 9);
      pages.push({ content });
    }
  }
  return { bytes: buildPdf({ pages }), starts };
}
