import { expect, it } from 'vitest';
import { readChart } from './chart.ts';
import { rootOf } from '../office-archive.ts';

const points = (values: readonly (string | number)[]): string =>
  values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('');
const texts = (...values: string[]): string => `<c:strRef><c:strCache>${points(values)}</c:strCache></c:strRef>`;
const numbers = (format: string, ...values: number[]): string =>
  `<c:numRef><c:numCache><c:formatCode>${format}</c:formatCode>${points(values)}</c:numCache></c:numRef>`;
const series = (name: string, more = ''): string =>
  `<c:ser><c:tx>${texts(name)}</c:tx>${more}<c:cat>${texts('North', 'South')}</c:cat><c:val>${numbers('#,##0.00', 1200, 3.5)}</c:val></c:ser>`;
const labels = (what: string): string => `<c:dLbls><c:${what} val="1"/></c:dLbls>`;
const axis = '<c:catAx><c:delete val="0"/></c:catAx>';
const legend = '<c:legend/>';
const title = (text: string): string =>
  `<c:title><c:tx><c:rich><a:p><a:r><a:t>${text}</a:t></a:r></a:p></c:rich></c:tx></c:title>`;

function read(plot: string, after = '', before = '') {
  const namespaces = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"';
  return readChart(
    rootOf(
      `<c:chartSpace ${namespaces}><c:chart>${before}<c:plotArea>${plot}</c:plotArea>${after}</c:chart></c:chartSpace>`,
    ),
  );
}

it('the title, the names of the series and the categories of a chart are read', () => {
  const bars = `<c:barChart>${series('2025')}${series('2026')}</c:barChart>${axis}`;
  expect(read(bars, legend, title('Sales'))).toEqual({
    texts: ['Sales'],
    rows: [
      ['2025', '2026'],
      ['North', 'South'],
    ],
  });
});

it('a title that the cells of a sheet give is read, also that of an axis', () => {
  const fromCells = (text: string): string => `<c:title><c:tx>${texts(text)}</c:tx></c:title>`;
  const bars = `<c:barChart>${series('2025')}</c:barChart><c:valAx>${fromCells('in EUR')}</c:valAx>`;
  expect(read(bars, '', fromCells('Sales')).texts).toEqual(['Sales', 'in EUR']);
});

it('values are read where they are written, in their format', () => {
  const bars = `<c:barChart>${series('2025', labels('showVal'))}${series('2026')}</c:barChart>${axis}`;
  expect(read(bars, legend).rows).toEqual([
    ['', '2025'],
    ['North', '1,200.00'],
    ['South', '3.50'],
  ]);
  const table = `<c:lineChart>${series('2025')}</c:lineChart>${axis}<c:dTable/>`;
  expect(read(table).rows.at(-1)).toEqual(['South', '3.50']);
});

it('a round chart shows its categories in the legend, and its only series as its title', () => {
  const pie = `<c:pieChart>${series('Sales')}</c:pieChart>`;
  expect(read(pie, legend, '<c:title/>')).toEqual({ texts: ['Sales'], rows: [['North', 'South']] });
});

it('categories without names have numbers, as Office shows them, unless there are too many for an axis', () => {
  const unnamed = (values: number[], more = ''): string =>
    `<c:ser><c:tx>${texts('2025')}</c:tx>${more}<c:val>${numbers('General', ...values)}</c:val></c:ser>`;
  expect(read(`<c:pieChart>${unnamed([7, 9])}</c:pieChart>`, legend).rows).toEqual([['1', '2']]);
  expect(read(`<c:barChart>${unnamed([7, 9], labels('showVal'))}</c:barChart>${axis}`, legend).rows).toEqual([
    ['', '2025'],
    ['1', '7'],
    ['2', '9'],
  ]);
  const many = Array.from({ length: 100 }, (_, at) => at * at);
  expect(read(`<c:lineChart>${unnamed(many)}</c:lineChart>${axis}`, legend).rows).toEqual([['2025']]);
});

it('fields of typed labels are read as what they stand for, and a series without a name by its number', () => {
  const field = (type: string): string => `<a:fld type="${type}"><a:t>[${type}]</a:t></a:fld>`;
  const label = `<c:dLbls><c:dLbl><c:idx val="1"/><c:tx><c:rich><a:p>${field('CELLRANGE')}<a:r><a:t>: </a:t></a:r>${field('VALUE')}</a:p></c:rich></c:tx></c:dLbl></c:dLbls>`;
  const range = `<c:extLst><c:ext><c15:datalabelsRange><c15:dlblRangeCache>${points(['low', 'high'])}</c15:dlblRangeCache></c15:datalabelsRange></c:ext></c:extLst>`;
  const one = series('x', label)
    .replace(/<c:tx>.*?<\/c:tx>/u, '')
    .replace('</c:ser>', `${range}</c:ser>`);
  expect(read(`<c:barChart>${one}</c:barChart>${axis}`, legend)).toEqual({
    texts: ['high: 3.50'],
    rows: [['Series1'], ['North', 'South']],
  });
});

it('a title that nobody typed is read as Office writes it', () => {
  const bars = `<c:barChart>${series('2025')}${series('2026')}</c:barChart><c:valAx><c:title/></c:valAx>`;
  expect(read(bars, '', '<c:title/>').texts).toEqual(['Chart Title', 'Axis Title']);
});

it('what a chart does not show is not read', () => {
  const bars = `<c:barChart>${series('Secret')}</c:barChart><c:catAx><c:delete val="1"/></c:catAx>`;
  expect(read(bars)).toEqual({ texts: [], rows: [] });
});

it('the labels of an axis and of points are read as they are written, each in its own format', () => {
  const format = (code: string): string => `<c:numFmt formatCode="${code}" sourceLinked="0"/>`;
  const point = (at: number, what: string): string => `<c:dLbl><c:idx val="${at}"/>${what}</c:dLbl>`;
  const some = `<c:dLbls>${point(0, '<c:delete val="1"/>')}${format('0.0')}<c:showVal val="1"/></c:dLbls>`;
  const silent = '<c:catAx><c:delete val="0"/><c:tickLblPos val="none"/></c:catAx>';
  expect(read(`<c:barChart>${series('2025', some)}</c:barChart>${silent}`).rows).toEqual([['', '3.5']]);
  const dates = `<c:ser><c:tx>${texts('2026')}</c:tx><c:cat>${numbers('General', 46095)}</c:cat><c:val>${numbers('0', 1)}</c:val></c:ser>`;
  const axisOf = (code: string): string => `<c:dateAx><c:delete val="0"/>${format(code)}</c:dateAx>`;
  expect(read(`<c:lineChart>${dates}</c:lineChart>${axisOf('dd.mm.yyyy')}`).rows).toEqual([['14.03.2026']]);
});

it('typed labels of a round chart stand for all that it would show, and their fields for its shares', () => {
  const typed = (at: number): string =>
    `<c:dLbl><c:idx val="${at}"/><c:tx><c:rich><a:p><a:r><a:t>Part </a:t></a:r><a:fld type="PERCENTAGE"><a:t>[PERCENTAGE]</a:t></a:fld></a:p></c:rich></c:tx></c:dLbl>`;
  const pie = (own: string): string =>
    `<c:pieChart>${series('Sales', `<c:dLbls>${own}<c:showCatName val="1"/></c:dLbls>`)}</c:pieChart>`;
  expect(read(pie(typed(0) + typed(1)))).toEqual({ texts: ['Part 100%', 'Part 0%'], rows: [] });
  expect(read(pie(typed(0)))).toEqual({ texts: ['Part 100%'], rows: [['South']] });
});

it('the shares of a round chart are read where they are written', () => {
  const pie = `<c:pieChart>${series('Sales', labels('showPercent'))}</c:pieChart>`;
  expect(read(pie, legend).rows).toEqual([
    ['North', '100%'],
    ['South', '0%'],
  ]);
});

it('charts of the kinds since 2016 show titles, categories, and the values that their labels write', () => {
  const values = (list: readonly (string | number)[]): string =>
    list.map((value, at) => `<cx:pt idx="${at}">${value}</cx:pt>`).join('');
  const title = (words: string): string =>
    `<cx:title><cx:tx><cx:rich><a:p><a:r><a:t>${words}</a:t></a:r></a:p></cx:rich></cx:tx></cx:title>`;
  const extended = (id: number, name: string, more: string): string =>
    `<cx:series layoutId="waterfall" ${more}><cx:tx><cx:txData><cx:f>S!B1</cx:f><cx:v>${name}</cx:v></cx:txData></cx:tx><cx:dataLabels><cx:visibility value="1"/></cx:dataLabels><cx:dataId val="${id}"/></cx:series>`;
  const chart = readChart(
    rootOf(
      `<cx:chartSpace><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl>${values(['North', 'South'])}</cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl formatCode="#,##0.00">${values([1200.5, -300])}</cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart>${title('Cash')}<cx:plotArea><cx:plotAreaRegion>${extended(0, 'Net', '')}${extended(0, 'Secret', 'hidden="1"')}</cx:plotAreaRegion><cx:axis><cx:catScaling/><cx:tickLabels/></cx:axis><cx:axis>${title('Euro')}<cx:valScaling/></cx:axis></cx:plotArea><cx:legend/></cx:chart></cx:chartSpace>`,
    ),
  );
  expect(chart).toEqual({
    texts: ['Cash', 'Euro', 'Net'],
    rows: [
      ['North', '1,200.50'],
      ['South', '-300.00'],
    ],
  });
});
