import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import type { Page } from '../page/page.ts';
import type { DocumentReader } from '../reader/document-reader.ts';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { openCsv } from './open-csv.ts';
import { openHtml } from './html/open-html.ts';
import { openMail } from './mail/open-mail.ts';
import { openText } from './open-text.ts';

async function read(open: DocumentReader, content: string | Uint8Array): Promise<Page[]> {
  const { pages } = await open(typeof content === 'string' ? Buffer.from(content) : content, defaultParseLimits);
  return [...pages];
}

async function textOf(open: DocumentReader, content: string | Uint8Array): Promise<string> {
  const pages = await read(open, content);
  return pages.map((page) => page.text).join('\f');
}

describe('plain text', () => {
  it('has words on a grid, so that each word has coordinates', async () => {
    const [page] = await read(openText, 'Total\n  due  12.50\n');
    expect(page).toMatchObject({ width: 612, height: 792, text: 'Total\n  due  12.50' });
    const [total, due, amount] = page!.words;
    expect(due).toMatchObject({ text: 'due', x0: total!.x0 + 2 * 5.4, y0: total!.y1 });
    expect(amount!.x0).toBeCloseTo(due!.x1 + 2 * 5.4);
  });

  it('is wrapped at spaces, expanded at tabs and split into pages', async () => {
    const pages = await read(openText, `a\tb\n${'word '.repeat(1_500)}`);
    expect(pages[0]!.text.startsWith('a       b\nword word')).toBe(true);
    expect(pages).toHaveLength(2);
    for (const page of pages) for (const word of page.words) expect(word.x1).toBeLessThanOrEqual(page.width);
  });

  it('starts a new page at a form feed', async () => {
    expect(await textOf(openText, 'one\n\ftwo\n')).toBe('one\ftwo');
  });
});

describe('a delimited table', () => {
  it.each([
    ['commas', 'Name,Price\n"Chair, red",50\n'],
    ['semicolons', 'Name;Price\nChair, red;50\n'],
    ['tabs', 'Name\tPrice\nChair, red\t50\n'],
  ])('with %s has its columns aligned', async (_, content) => {
    expect(await textOf(openCsv, content)).toBe('Name        Price\nChair, red  50');
  });

  it.each([
    ['in each row', '1,5;2,5;3,5\n4,2;5,7;6,1\n', '1,5  2,5  3,5\n4,2  5,7  6,1'],
    ['below names', 'A;B;C\n1,5;2,5;3,5\n4,2;5,7;6,1\n', 'A    B    C\n1,5  2,5  3,5\n4,2  5,7  6,1'],
    ['beside tabs', 'A\tB\n1,0\t2,0\n3,0\t4,0\n', 'A    B\n1,0  2,0\n3,0  4,0'],
    [
      'beside names with commas',
      'Name;Price\nLee, Al, Dr.;1,5\nOng, Bo, Dr.;2,5\n',
      'Name          Price\nLee, Al, Dr.  1,5\nOng, Bo, Dr.  2,5',
    ],
    ['beside inches', 'Pipe,Price\n5" pipe,"1,5"\n7" pipe,"2,5"\n', 'Pipe     Price\n5" pipe  1,5\n7" pipe  2,5'],
  ])('has its decimal commas %s', async (_, content, text) => {
    expect(await textOf(openCsv, content)).toBe(text);
  });

  it('can name its delimiter to Excel in a line that nobody is shown', async () => {
    expect(await textOf(openCsv, '\ufeffsep=|\r\na;b|c\r\n')).toBe('a;b  c');
  });

  it('can have rows of different lengths and line ends within cells', async () => {
    expect(await textOf(openCsv, 'a,b\n"1\n2",3,4\n')).toBe('a    b\n1 2  3  4');
  });

  it('has a quote that is left open as a sign like any other', async () => {
    expect(await textOf(openCsv, 'a,b\n1,5" wide\n2,"open\n3,x\n')).toBe('a  b\n1  5" wide\n2  "open\n3  x');
  });
});

describe('a web page', () => {
  it('returns the visible text and counts the hidden characters', async () => {
    const [page] = await read(
      openHtml,
      '<html><head><title>T</title><style>p{}</style></head><body><h1>Invoice</h1><script>var x</script>' +
        '<p style="display:none">secret</p><div hidden>rules</div><span style="font-size:0">tiny</span>' +
        '<p>See <a href="https://example.org">terms</a></p>' +
        '<table><tr><th>Item</th><th>Price</th></tr><tr><td>Chair</td><td>50.00</td></tr></table></body></html>',
    );
    expect(page!.text.split('\n').filter(Boolean)).toEqual(['Invoice', 'See terms', 'Item   Price', 'Chair  50.00']);
    expect(page!.hidden_text).toBe('secretrulestiny'.length);
  });
});

describe('text that a browser does not show is left out of a web page', () => {
  const page = (style: string, content: string): string =>
    `<html><head><style>${style}</style></head><body><p>Visible</p>${content}</body></html>`;

  it.each([
    ['by its own style', page('', '<p style="color: red; DISPLAY : none">secret</p>')],
    ['by a class', page('p.x, .y { visibility: hidden }', '<div class="a y">secret</div>')],
    ['by an id', page('#z{font-size:0px}', '<div id="z"><b>secret</b></div>')],
    ['white on white', page('', '<p style="color:#FFF">secret</p>')],
  ])('%s', async (_, html) => {
    const [shown] = await read(openHtml, html);
    expect(shown).toMatchObject({ text: 'Visible', hidden_text: 'secret'.length });
  });

  it.each([
    ['white on a background', page('body { background: navy }', '<p style="color:#fff">Shown</p>')],
    ['half transparent', page('', '<p style="opacity:0.5">Shown</p>')],
    ['of a class like a hidden one', page('.y{display:none}', '<p class="yy">Shown</p>')],
  ])('but not %s', async (_, html) => {
    const [shown] = await read(openHtml, html);
    expect(shown!.text).toContain('Shown');
  });
});

describe('a mail', () => {
  const mail = [
    'From: Ada <ada@example.org>',
    'To: Bob <bob@example.org>, carol@example.org',
    'Subject: =?utf-8?q?Rechnung_f=C3=BCr_M=C3=A4rz?=',
    'Date: Fri, 1 Mar 2024 10:00:00 +0000',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>Total: <b>12.50</b></p>',
    '--b',
    'Content-Type: application/pdf',
    'Content-Disposition: attachment; filename="invoice.pdf"',
    '',
    'x',
    '--b--',
    '',
  ].join('\r\n');

  it.each([
    ['as sent', Buffer.from(mail)],
    ['saved as UTF-16', iconv.encode(mail, 'utf16le', { addBOM: true })],
  ])('%s returns headers, body and the names of the attachments', async (_, bytes) => {
    const text = await textOf(openMail, bytes);
    expect(text.split('\n').filter(Boolean)).toEqual([
      'From: Ada <ada@example.org>',
      'To: Bob <bob@example.org>, carol@example.org',
      'Date: Fri, 1 Mar 2024 10:00:00 +0000',
      'Subject: Rechnung für März',
      'Total: 12.50',
      'Attachments:',
      '- invoice.pdf',
    ]);
  });
});
