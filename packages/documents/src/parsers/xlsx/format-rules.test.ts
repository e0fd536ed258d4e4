import { expect, it } from 'vitest';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { cell, xlsx } from '../../testing/office-file.ts';
import { openXlsx } from './open-xlsx.ts';

it('a cell has the number format that a rule gives to its value', async () => {
  const rule = (look: number, operator: string, ...limits: readonly number[]): string =>
    `<cfRule type="cellIs" dxfId="${look}" priority="${look + 1}" operator="${operator}">${limits.map((limit) => `<formula>${limit}</formula>`).join('')}</cfRule>`;
  const after = `<conditionalFormatting sqref="A1:B1 D1">${rule(0, 'greaterThan', 1000)}${rule(1, 'between', 10, 2000)}</conditionalFormatting>`;
  const rows = `<row r="1">${cell('A1', 1500)}${cell('B1', 20)}${cell('C1', 1500)}${cell('D1', 5)}</row>`;
  const looks = ['0&quot; EUR&quot;', '0.00'].map(
    (code, at) => `<dxf><numFmt numFmtId="${200 + at}" formatCode="${code}"/></dxf>`,
  );
  const { pages } = await openXlsx(
    xlsx({ S: { rows, after } }, { styles: `<dxfs>${looks.join('')}</dxfs>` }),
    defaultParseLimits,
  );
  const [page] = [...pages];
  expect(page!.text.split('\n')[2]).toBe('1500 EUR  20.00  1500  5');
});
