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

const looks = {
  white: '<font><color rgb="FFFFFFFF"/></font>',
  red: '<font><color rgb="FFFF0000"/></font>',
  dark: '<fill><patternFill><bgColor rgb="FF101010"/></patternFill></fill>',
};
type Look = keyof typeof looks;

const textCell = (at: string, words: string): string => `<c r="${at}" t="inlineStr"><is><t>${words}</t></is></c>`;

/** What a person sees of cells below each other, and how many letters are hidden. */
async function seenWith(rules: readonly string[], cells: readonly (string | number)[]) {
  const after = `<conditionalFormatting sqref="A1:A9">${rules.join('')}</conditionalFormatting>`;
  const rows = cells
    .map(
      (value, at) =>
        `<row r="${at + 1}">${typeof value === 'number' ? cell(`A${at + 1}`, value) : textCell(`A${at + 1}`, value)}</row>`,
    )
    .join('');
  const styles = `<dxfs>${Object.values(looks)
    .map((look) => `<dxf>${look}</dxf>`)
    .join('')}</dxfs>`;
  const { pages } = await openXlsx(xlsx({ S: { rows, after } }, { styles }), defaultParseLimits);
  const [page] = [...pages];
  const seen = page!.text.split('\n').slice(2).filter(Boolean);
  return { seen, hidden: page!.hidden_text ?? 0, unread: page!.unread?.map(({ message }) => message) };
}

const rule = (look: Look, attributes: string, ...formulas: readonly string[]): string =>
  `<cfRule dxfId="${Object.keys(looks).indexOf(look)}" ${attributes}>${formulas.map((formula) => `<formula>${formula}</formula>`).join('')}</cfRule>`;

it.each([
  ['a formula that is always true', rule('white', 'type="expression" priority="1"', 'TRUE')],
  ['a comparison that is always true', rule('white', 'type="expression" priority="1"', '1+1=2')],
  ['a text', rule('white', 'type="cellIs" operator="equal" priority="1"', '"Secret"')],
  ['a part of a text', rule('white', 'type="containsText" operator="containsText" text="CRE" priority="1"', 'x')],
  ['what is not empty', rule('white', 'type="notContainsBlanks" priority="1"', 'x')],
  [
    'the first of two rules',
    rule('white', 'type="expression" priority="1"', '1') + rule('red', 'type="expression" priority="2"', '1'),
  ],
])('letters that a rule for %s gives the colour behind them are hidden text', async (_, given) => {
  expect(await seenWith([given], ['Secret'])).toEqual({ seen: [], hidden: 6, unread: undefined });
});

it.each([
  ['of which none holds', rule('white', 'type="cellIs" operator="equal" priority="1"', '"Other"')],
  ['that is always false', rule('white', 'type="expression" priority="1"', '1&gt;2')],
  [
    'that also gives what is behind',
    rule('white', 'type="expression" priority="2"', '1') + rule('dark', 'type="expression" priority="1"', '1'),
  ],
  [
    'after one that ends the rules',
    rule('red', 'type="notContainsBlanks" priority="1" stopIfTrue="1"') +
      rule('white', 'type="expression" priority="2"', '1'),
  ],
])('letters under a rule %s are seen', async (_, given) => {
  expect(await seenWith([given], ['Secret'])).toEqual({ seen: ['Secret'], hidden: 0, unread: undefined });
});

it('text that a formula of unknown result can hide is read and named, and a number that a sign stands for is hidden', async () => {
  const unknown = await seenWith([rule('white', 'type="expression" priority="1"', 'LEN(A1)&gt;3')], ['Secret', 'Two']);
  expect(unknown.seen).toEqual(['Secret', 'Two']);
  expect(unknown.unread).toEqual([expect.stringContaining('the text in A1 and in 1 more cells the colour behind it')]);
  const sign = '<cfRule type="iconSet" priority="1"><iconSet showValue="0"/></cfRule>';
  expect(await seenWith([sign], ['Two', 42])).toEqual({ seen: ['Two'], hidden: 2, unread: undefined });
  const bar = '<cfRule type="dataBar" priority="1"><dataBar/></cfRule>';
  expect((await seenWith([bar], ['Two', 42])).seen).toEqual(['Two', '42']);
});
