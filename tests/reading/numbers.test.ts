import { detectType, parseDocument } from '@docwright/documents';
import { buildPdf, line } from '@docwright/documents/testing';
import { archive, cell, docx, paragraph, relationships, xlsx } from '@docwright/documents/testing/office-file';
import { expect, it } from 'vitest';
import { Random } from '../bench/made-documents/random.ts';

/** By default a few numbers; `NUMBERS=100000` is the long form. */
const total = Number(process.env['NUMBERS'] ?? 2_400);
/** Numbers of a file. */
const perFile = 1_000;

/** Up to 40 digits before the point and 20 behind it, some with a sign, some with zeros before and behind. */
function numberOf(random: Random): string {
  const digits = (count: number): string => Array.from({ length: count }, () => String(random.between(0, 9))).join('');
  const fraction = random.next() < 0.5 ? '' : `.${digits(random.between(1, 20))}`;
  return `${random.next() < 0.3 ? '-' : ''}${digits(random.between(1, 40))}${fraction}`;
}

/** A number as spreadsheets and JSON write it, without zeros before it. */
const plain = (number: string): string => number.replace(/^(-?)0+(?=\d)/u, '$1');
const list = (numbers: readonly string[], write: (number: string, at: number) => string): string =>
  numbers.map(write).join('');
const odf = (kind: string, body: string): Uint8Array =>
  archive({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:body>${body}</office:body></office:document-content>`,
  });

const kinds: Readonly<Record<string, (numbers: readonly string[]) => string | Uint8Array>> = {
  'a.txt': (numbers) => numbers.join('\n'),
  'a.csv': (numbers) => list(numbers, (one, at) => `${one}${at % 5 === 4 ? '\n' : ';'}`),
  'a.json': (numbers) => `[${numbers.map(plain).join(',')}]`,
  'a.xml': (numbers) => `<all>${list(numbers, (one) => `<n>${one}</n>`)}</all>`,
  'a.html': (numbers) => `<!doctype html><html><body>${list(numbers, (one) => `<p>${one}</p>`)}</body></html>`,
  'a.eml': (numbers) =>
    `From: a@example.com\nTo: b@example.com\nSubject: s\nMIME-Version: 1.0\n\n${numbers.join('\n')}`,
  'a.rtf': (numbers) => `{\\rtf1\\ansi ${list(numbers, (one) => `${one}\\par\n`)}}`,
  'a.docx': (numbers) => docx(list(numbers, (one) => paragraph(one))),
  'a.odt': (numbers) => odf('text', `<office:text>${list(numbers, (one) => `<text:p>${one}</text:p>`)}</office:text>`),
  'texts.xlsx': (numbers) =>
    xlsx({
      S: list(numbers, (one, at) => `<row><c r="A${at + 1}" t="inlineStr"><is><t>${one}</t></is></c></row>`),
    }),
  'numbers.xlsx': (numbers) => xlsx({ S: list(numbers, (one, at) => `<row>${cell(`A${at + 1}`, plain(one))}</row>`) }),
  'a.pptx': (numbers) =>
    archive({
      '[Content_Types].xml':
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>',
      '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
      'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relationships({ a: ['slide', 'slide.xml'] }),
      'ppt/slide.xml': `<p:sld><p:cSld><p:spTree><p:sp><p:txBody>${list(numbers, (one) => `<a:p><a:r><a:t>${one}</a:t></a:r></a:p>`)}</p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
    }),
  'a.pdf': (numbers) =>
    buildPdf({
      pages: Array.from({ length: Math.ceil(numbers.length / 50) }, (_, page) => ({
        content: list(numbers.slice(page * 50, page * 50 + 50), (one, at) => line(one, 50, 750 - at * 14, 10)),
      })),
    }),
};

/** The digits of a decimal number without sign, point and exponent, and the place of its point. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/iu.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/u, '');
  const trimmed = digits.replace(/0+$/u, '');
  const place = whole.length + Number(exponent) - (whole.length + fraction.length - digits.length);
  return trimmed === '' ? '0' : `${sign}${trimmed}e${place}`;
}

it.each(Object.entries(kinds))('%s: no digit of a number of any length is lost or changed', async (name, write) => {
  const random = new Random(name.length * 7_919 + name.charCodeAt(0));
  const wrong: [written: string, read: string | undefined][] = [];
  for (let left = Math.ceil(total / Object.keys(kinds).length); left > 0; left -= perFile) {
    const numbers = Array.from({ length: Math.min(left, perFile) }, () => numberOf(random));
    const content = write(numbers);
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const { pages } = await parseDocument({ bytes, mimeType: await detectType(bytes, name) });
    const words = pages.flatMap((page) => page.words.map(({ text, raw }) => raw ?? text));
    const found = words.flatMap((word) => word.match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/giu) ?? []);
    // A number as text has all of its zeros too.
    const isText = !/json|numbers/u.test(name);
    for (const [at, number] of numbers.entries()) {
      const read = found[at];
      const isSame = read !== undefined && (isText ? read === number : decimalOf(read) === decimalOf(number));
      if (!isSame) wrong.push([number, read]);
    }
    if (found.length !== numbers.length) wrong.push([`${numbers.length} numbers`, `${found.length} numbers`]);
  }
  expect(wrong.slice(0, 5)).toEqual([]);
});
