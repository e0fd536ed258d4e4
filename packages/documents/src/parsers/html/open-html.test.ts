import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { openHtml } from './open-html.ts';

async function read(content: string | Uint8Array) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const document = await openHtml(bytes, defaultParseLimits);
  const pages = [...document.pages];
  const lines = pages.flatMap((page) => page.text.split('\n')).filter((line) => line.trim() !== '');
  return { ...document, pages, lines };
}

describe('a page is decoded as it declares', () => {
  it.each([
    ['meta charset', '<meta charset="iso-8859-2"><p>żarówkę: 120,00 zł</p>', 'iso-8859-2'],
    ['http-equiv', '<meta http-equiv="Content-Type" content="text/html; charset=gb2312"><p>发票 880元</p>', 'gb2312'],
    ['an XML declaration', '<?xml version="1.0" encoding="windows-1251"?><html><p>Счёт</p></html>', 'windows-1251'],
    ['Latin-1, which is the code page of Windows', '<meta charset="latin1"><p>95,20 €</p>', 'windows-1252'],
    ['a wrong declaration of UTF-8', '<meta charset="utf-8"><p>Für März, Größe über alles</p>', 'windows-1252'],
  ])('by %s', async (_, html, encoding) => {
    const { lines } = await read(iconv.encode(html, encoding));
    expect(lines).toEqual([html.replace(/<[^>]*>/g, '')]);
  });
});

describe('what a browser shows', () => {
  it('are the quotation signs and marks of a style sheet, and not what is there for browsers that cannot draw', async () => {
    const { lines } = await read(
      `<style>q { quotes: "«" "»" "<" ">" } .n::marker { content: "No. " }</style><p><q>a <q>b</q></q></p><ul><li class=n>one</ul><ul style='list-style-type: "– "'><li>two</ul><canvas>none</canvas>`,
    );
    expect(lines.map((line) => line.trim())).toEqual(['«a <b>»', 'No. one', '– two']);
  });

  it('are the values of a form', async () => {
    const { lines } = await read(
      '<p><label>Name</label><input value="Jordan"><p><select><option>Basic<option selected>Premium</select>' +
        '<p><input type=checkbox checked>Insured<input type=radio>Smoker<p><textarea>Call\nlater</textarea><input type=hidden value=token>',
    );
    expect(lines).toEqual(['Name Jordan', 'Premium', '☒ Insured ☐ Smoker', 'Call', 'later']);
  });

  it('are lists with their numbers', async () => {
    const { lines } = await read(
      '<ol start=4><li>Four<li value=9>Nine<li>Ten</ol><ol type=a><li>x</ol><ol reversed><li>two<li>one</ol><ul><li>dot</ul><ul style="list-style:none"><li>bare</ul>',
    );
    expect(lines.map((line) => line.trim())).toEqual([
      '4. Four',
      '9. Nine',
      '10. Ten',
      'a. x',
      '2. two',
      '1. one',
      '• dot',
      'bare',
    ]);
  });

  it('are words that stand apart', async () => {
    const { lines } = await read(
      '<dl><dt>Net</dt><dd>100.00</dd></dl><span>Order</span><div>A-17</div>' +
        '<div style="display:table"><div style="display:table-row"><div style="display:table-cell">VAT</div><div style="display:table-cell">19.00</div></div></div>' +
        '<style>.row{display:flex}</style><div class=row><div>Total</div><div>119.00</div></div>' +
        '<span style="display:inline-block">a</span><span style="display:inline-block">b</span>' +
        '<div style="display:grid"><span>Sum</span><span>7.00</span></div><div style="display:flex;flex-direction:column"><b>Due</b><i>May</i></div>',
    );
    expect(lines.map((line) => line.trim())).toEqual([
      'Net',
      '100.00',
      'Order',
      'A-17',
      'VAT  19.00',
      'Total  119.00',
      'a  b',
      'Sum',
      '7.00',
      'Due',
      'May',
    ]);
  });

  it.each([
    ['inline-grid', '5'],
    ['inline-grid', '<b>5</b>\n<i hidden>6</i>'],
    ['inline-flex', '<svg></svg><b>5</b>'],
    ['inline-flex;flex-direction:column', '<b>5</b>'],
  ])('is one line around %s with the one item %s', async (display, item) => {
    const { lines } = await read(`Total <span style="display:${display}">${item}</span> EUR`);
    expect(lines.map((line) => line.replaceAll(/\s+/gu, ' '))).toEqual(['Total 5 EUR']);
  });

  it('is decided by the whole cascade', async () => {
    const { lines, pages } = await read(
      '<style>.tab{display:none} .tab.open{display:block} @media print{p{display:none}} @media (max-width:600px){p{display:none}} p:not(.a){text-transform:uppercase}</style>' +
        '<div class=tab>closed</div><div class="tab open">open</div><p>big</p><div style="visibility:hidden">no<b style="visibility:visible">yes</b></div>',
    );
    expect(lines).toEqual(['open', 'BIG', 'yes']);
    expect(pages[0]!.hidden_text).toBe('closedno'.length);
  });

  it.each([
    '<div style="position:absolute;left:-9999px">',
    '<div style="height:0;overflow:hidden">',
    '<div style="color:#fefefe">',
    '<div style="background:navy"><div style="color:#000080;background:#000080">',
    '<div style="clip:rect(0,0,0,0)">',
    '<details><summary></summary>',
    '<table style="opacity:0"><tr><td>',
  ])('is nothing that a style hides: %s', async (start) => {
    const { pages } = await read(`<p>Shown</p>${start}secret`);
    expect(pages[0]).toMatchObject({ text: 'Shown', hidden_text: 'secret'.length });
  });

  it('are links and buttons in colours of their own, and text that stands in the head of a page', async () => {
    const { lines, pages } = await read(
      '<head><title>No</title><style>b{}</style>Stray <script>no()</script></head><body><div style="background:#000"><a href="/x">Reply</a> <a>plain</a> <a href="/y" style="color:inherit">dark</a> <button>Send</button>',
    );
    expect(lines.map((line) => line.replaceAll(/\s+/gu, ' '))).toEqual(['Stray', 'Reply Send']);
    expect(pages[0]!.hidden_text).toBe('plaindark'.length);
  });

  it('are inline pictures, and linked ones are named', async () => {
    const png = Buffer.alloc(33);
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(png);
    png.writeUInt32BE(640, 16);
    png.writeUInt32BE(480, 20);
    const { pages, unread } = await read(
      `<p>before<img src="data:image/png;base64,${png.toString('base64')}">after<img src="https://example.org/a.png" alt="Plan"><img src="https://example.org/t.gif" width=1 height=1>`,
    );
    expect(pages.map(({ text, needs_ocr }) => [text, needs_ocr])).toEqual([
      ['before', false],
      ['', true],
      ['after', false],
    ]);
    expect(unread).toEqual([expect.objectContaining({ kind: 'picture', name: 'Plan' })]);
  });
});

it('the text behind 30,000 tables inside of each other is read within the time of a test', async () => {
  const tables = `${'<table><tr><td>'.repeat(30_000)}deep${'</table>'.repeat(30_000)}`;
  const { lines, unread } = await read(`<p>Before</p>${tables}<p>After <b>it</b></p>`);
  expect(lines.filter((line) => line !== '')).toEqual(['Before', 'After it']);
  expect(unread).toHaveLength(1);
});

it('elements inside of each other without end do not exhaust the stack, and are named', async () => {
  const { lines, unread } = await read(`<p>Shown</p>${'<div>'.repeat(5_000)}deep`);
  expect(lines).toEqual(['Shown']);
  expect(unread).toEqual([expect.objectContaining({ kind: 'other' })]);
});

it.each([
  [70, ['Shown', 'deep'], 0],
  [5_000, ['Shown'], 1],
])('of %i tables inside of each other the text is read, or said to be unread', async (depth, expected, count) => {
  const tables = `${'<table><tr><td>'.repeat(depth)}deep${'</td></tr></table>'.repeat(depth)}`;
  const { lines, unread } = await read(`<p>Shown</p>${tables}`);
  expect(lines.filter((line) => line !== '')).toEqual(expected);
  expect(unread ?? []).toHaveLength(count);
});

it.each([
  [
    'in hundredths of a millimetre',
    '<svg width="210mm" height="297mm" viewBox="0 0 21000 29700"><text x="12000" y="9000">Net</text></svg>',
  ],
  ['in a box that cuts nothing', '<svg style="clip-path: rect(auto auto auto auto)"><text>Net</text></svg>'],
  ['that is scaled', '<svg><g transform="scale(0.01)"><text x="12000" y="9000">Net</text></g></svg>'],
])('the text of a drawing %s is read', async (_, drawing) => {
  expect((await read(drawing)).lines).toEqual(['Net']);
});

describe('what a style hides in other ways', () => {
  it.each([
    'color:transparent',
    'color:rgba(0,0,0,0)',
    'color:#ffffff00',
    'color:hsl(0 0% 100%)',
    'color:rgb(100%,100%,100%)',
    'color:ivory;background:#FFFFF0',
    'color:var(--paper)',
    'color:var(--none, white)',
    '-webkit-text-fill-color:transparent',
    'position:absolute;color:transparent',
    'opacity:1%',
    'filter:opacity(0)',
    'content-visibility:hidden',
    'margin-left:-9999px',
    'transform:translateX(-9999px)',
    'translate:-200vw',
    'position:fixed;top:-500vh',
    'position:absolute;left:100000px',
    'clip-path:circle(0)',
    'width:1px;height:1px;overflow:hidden',
    'scale:0',
    'zoom:0.01',
    'transform:rotateY(90deg)',
  ])('is hidden text: %s', async (style) => {
    const { pages } = await read(
      `<style>:root{--paper:var(--white);--white:#FFF}</style><p>Shown</p><div style="${style}">secret</div>`,
    );
    expect(pages[0]).toMatchObject({ text: 'Shown', hidden_text: 'secret'.length });
  });

  it.each([
    'color:transparent;background-clip:text;background-image:linear-gradient(red,blue)',
    'color:transparent;text-shadow:0 0 0 #000',
    'color:rgba(0,0,0,.6)',
    'color:#fff;background:rgb(0 0 0 / 80%)',
    'height:20px;overflow:hidden',
    'position:absolute;top:9000px',
  ])('is shown: %s', async (style) => {
    const { lines } = await read(`<div style="${style}">text</div>`);
    expect(lines).toEqual(['text']);
  });

  it('or that only opens on demand', async () => {
    const { lines } = await read('<div popover>menu</div><dialog>closed</dialog><dialog open>open</dialog>');
    expect(lines).toEqual(['open']);
  });
});

it('texts that a style sheet writes, with its numbers, are read', async () => {
  const style =
    'body{counter-reset:s}.s{counter-increment:s}.s::before{content:"§\\A0" counter(s) ". "}p:after{content:";"}a::after{content:" (" attr(data-n) ")"}' +
    'ol{counter-reset:i;list-style:none}li:before{counter-increment:i;content:counters(i,".") " "}i::before{content:"\\f105"}u::before{content:"no";display:none}';
  const { lines } = await read(
    `<style>${style}</style><div class=s>Scope</div><div class=s>Fees</div><p>Net <a data-n=17>ref</a><i></i><u></u> <q>yes</q></p><ol><li>A<ol><li>B</li><li>C</li></ol></li><li>D</li></ol>`,
  );
  expect(lines.map((line) => line.replaceAll(/\s+/gu, ' ').trim())).toEqual([
    '§ 1. Scope',
    '§ 2. Fees',
    'Net ref (17) “yes”;',
    '1 A',
    '1.1 B',
    '1.2 C',
    '2 D',
  ]);
});

it('drawings, formulas, pages in frames and pictures behind an element are read as far as they are seen', async () => {
  const drawing =
    '<svg><defs><text id=a>used</text><text>unused</text></defs><use href="#a"/><text display=none>x1</text><g fill=none><text>x2</text></g><text opacity=0>x3</text><text>Net <tspan x=9>42.00</tspan></text><foreignObject><p>In a page</p></foreignObject></svg>';
  const formula =
    '<math><mfrac><mi>a</mi><mn>2</mn></mfrac><mo>=</mo><msup><mi>x</mi><mn>2</mn></msup><msqrt><mn>9</mn></msqrt></math>';
  const picture = '<div style="background:url(data:image/png;base64,AAAA)">behind</div>';
  const { lines, unread } = await read(
    `${drawing}<p>${formula}</p><iframe srcdoc="&lt;p&gt;Inside"></iframe><iframe src="data:text/html,%3Cp%3EData"></iframe>${picture}`,
  );
  expect(lines.map((line) => line.replaceAll(/\s+/gu, ' ').trim())).toEqual([
    'used Net 42.00',
    'In a page',
    'a/2 = x^2√9',
    'Inside',
    'Data',
    'behind',
  ]);
  expect(unread).toEqual([expect.objectContaining({ kind: 'picture' })]);
  const nested = Array.from({ length: 6 }).reduce<string>(
    (inner, _, at) =>
      `<p>${at}</p><iframe srcdoc="${inner.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`,
    'deep',
  );
  expect((await read(nested)).unread).toEqual([expect.objectContaining({ kind: 'other' })]);
});

describe('a small page takes little time and memory', () => {
  const deep = (tag: string, depth: number) => `<${tag}>`.repeat(depth) + 'x' + `</${tag}>`.repeat(depth);

  it('with a formula of many levels', async () => {
    const { lines } = await read(`<p><math>${deep('mrow', 60).replace('x', '<mi>x</mi>')}</math></p>`);
    expect(lines).toEqual(['x']);
  });

  it('whose style sheets write long texts', async () => {
    const join = 'j'.repeat(5_000);
    const { lines } = await read(
      `<style>*{counter-reset:a}b::before{content:counters(a,"${join}")}</style><p>${deep('b', 40)}</p>`,
    );
    expect(lines.join('').length).toBeLessThan(200_000);
    expect(lines.join('')).toContain('x');
  });

  it('whose elements count thousands of counters', async () => {
    const counters = 'a '.repeat(4_000);
    const page = `<style>*{counter-reset:a;counter-increment:${counters}}</style><p>${deep('b', 50)}`;
    const { lines } = await read(page.repeat(20));
    expect(lines).toHaveLength(20);
  });

  it('with a drawing that uses its parts often', async () => {
    const parts = '<text>part</text>'.repeat(200);
    const { lines } = await read(
      `<svg><g id="a">${parts}</g>${'<use href="#a"/>'.repeat(100)}<text>behind</text></svg>`,
    );
    expect(lines.at(-1)).toContain('behind');
    expect(lines.join(' ').match(/part/g)!.length).toBeLessThan(10_000);
  });
});
