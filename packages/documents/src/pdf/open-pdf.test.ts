import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { buildPdf, firstExtraObject, line, stream } from '../testing/build-pdf.ts';
import { openPdf } from './open-pdf.ts';

const onePage = { pages: [{ content: line('Text', 72, 700) }] };
const key = '00'.repeat(32);

describe('a PDF that cannot be read gives an error with the reason and the cure', () => {
  it.each([
    {
      what: 'a password',
      bytes: buildPdf({
        ...onePage,
        trailer: `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${key}> /U <${key}> >>`,
      }),
      code: 'password_required',
      cure: /without one/,
    },
    {
      what: 'an unknown encryption',
      bytes: buildPdf({ ...onePage, trailer: '/ID [<00> <00>] /Encrypt << /Filter /Acme /V 1 >>' }),
      code: 'unsupported_encryption',
      cure: /print it to a new PDF/,
    },
    {
      what: 'nothing but a header',
      bytes: Buffer.from('%PDF-1.7\n%%EOF'),
      code: 'damaged_file',
      cure: /save it again/,
    },
    {
      what: 'half of the file',
      bytes: buildPdf(onePage).subarray(0, 600),
      code: 'damaged_file',
      cure: /save it again/,
    },
    { what: 'no pages', bytes: buildPdf({ pages: [] }), code: 'damaged_file', cure: /save it again/ },
  ])('$what', async ({ bytes, code, cure }) => {
    const error: unknown = await openPdf(bytes, defaultParseLimits).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code,
      message: expect.stringMatching(cure),
    });
  });
});

it('a PDF whose table of objects is wrong is repaired', async () => {
  const file = Buffer.from(buildPdf(onePage))
    .toString('latin1')
    .replace(/startxref\n\d+/, 'startxref\n7');
  const { pages } = await openPdf(Buffer.from(file, 'latin1'), defaultParseLimits);
  expect([...pages].map((page) => page.text)).toEqual(['Text']);
});

it('names the files inside of a PDF, which are not read, and that it is a portfolio', async () => {
  const file = `<< /Type /Filespec /F (prices.xls) /UF (prices.xls) /EF << /F ${firstExtraObject + 1} 0 R >> >>`;
  const names = `/Names << /EmbeddedFiles << /Names [(prices.xls) ${firstExtraObject} 0 R] >> >>`;
  const withFile = { ...onePage, extra: [file, stream('x', '/Type /EmbeddedFile')] };
  const { unread } = await openPdf(buildPdf({ ...withFile, catalog: names }), defaultParseLimits);
  expect(unread).toMatchObject([{ kind: 'embedded_file', name: 'prices.xls' }]);
  const packed = deflateSync('1 0 << /Type /Catalog /Collection << /View /D >> >>').toString('latin1');
  for (const portfolio of [
    { ...withFile, catalog: `${names} /Collection << /View /D >>` },
    { ...withFile, catalog: names, extra: [...withFile.extra, stream(packed, '/Type /ObjStm /Filter /FlateDecode')] },
  ]) {
    const opened = await openPdf(buildPdf(portfolio), defaultParseLimits);
    expect(opened.unread).toMatchObject([{ kind: 'portfolio' }, { kind: 'embedded_file', name: 'prices.xls' }]);
  }
  expect((await openPdf(buildPdf(onePage), defaultParseLimits)).unread).toEqual([]);
});
