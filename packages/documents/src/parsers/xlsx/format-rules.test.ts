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

it('a number to which a rule with a formula can give another number format is named, save where a rule before it holds', async () => {
  const after =
    '<conditionalFormatting sqref="A1:A2">' +
    '<cfRule type="cellIs" dxfId="0" priority="1" operator="lessThan"><formula>10</formula></cfRule>' +
    '<cfRule type="expression" dxfId="0" priority="2"><formula>$B1="USD"</formula></cfRule></conditionalFormatting>' +
    '<conditionalFormatting sqref="B1"><cfRule type="expression" dxfId="1" priority="3"><formula>TRUE</formula></cfRule></conditionalFormatting>';
  const rows = `<row r="1">${cell('A1', 5)}${cell('B1', 7)}</row><row r="2">${cell('A2', 1500)}</row>`;
  const looks = '<dxfs><dxf><numFmt numFmtId="200" formatCode="$0"/></dxf><dxf><font><b/></font></dxf></dxfs>';
  const { pages } = await openXlsx(xlsx({ S: { rows, after } }, { styles: looks }), defaultParseLimits);
  const [page] = [...pages];
  expect(page!.text).toContain('$5');
  expect(page!.unread).toEqual([
    {
      kind: 'formula',
      name: 'A2',
      page_num: 1,
      message:
        'A rule with a formula can give the number in A2 another number format, such as another currency. Open the file in Excel to see it.',
    },
  ]);
});
