import { strToU8, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { buildPdf } from '../testing/build-pdf.ts';
import { detectType } from './detect-type.ts';

const text = (content: string): Uint8Array => Buffer.from(content);
const mail = 'From: a@example.org\nTo: b@example.org\nSubject: Hello\n\nText\n';
const compoundFile = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);

function officeFile(type: string, part: string): Uint8Array {
  return zipSync({
    '[Content_Types].xml': strToU8(
      `<?xml version="1.0"?><Types><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
    ),
    [part]: strToU8('<x/>'),
  });
}

function macroFile(type: string, part: string): Uint8Array {
  const override = `<Override PartName="/${part}" ContentType="application/vnd.${type}.macroEnabled.main+xml"/>`;
  return zipSync({
    '[Content_Types].xml': strToU8(`<?xml version="1.0"?><Types>${override}</Types>`),
    [part]: strToU8('<x/>'),
  });
}

describe('the type of a document', () => {
  it.each([
    {
      what: 'a PDF named .txt',
      bytes: buildPdf({ pages: [{ content: '' }] }),
      name: 'notes.txt',
      type: 'application/pdf',
    },
    { what: 'a PDF after junk', bytes: text('\n\njunk\n%PDF-1.4\n'), name: 'a', type: 'application/pdf' },
    {
      what: 'a Word document named .pdf',
      bytes: officeFile('wordprocessingml.document', 'word/document.xml'),
      name: 'a.pdf',
      type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    },
    {
      what: 'a workbook',
      bytes: officeFile('spreadsheetml.sheet', 'xl/workbook.xml'),
      name: 'a',
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    },
    {
      what: 'a workbook with macros',
      bytes: macroFile('ms-excel.sheet', 'xl/workbook.xml'),
      name: 'a.xlsm',
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    },
    {
      what: 'a Word document with macros',
      bytes: macroFile('ms-word.document', 'word/document.xml'),
      name: 'a.docm',
      type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    },
    {
      what: 'a picture named .csv',
      bytes: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      name: 'a.csv',
      type: 'image/png',
    },
    { what: 'a mail by its headers', bytes: text(mail), name: 'a.txt', type: 'message/rfc822' },
    {
      what: 'a mail in UTF-16',
      bytes: iconv.encode(mail, 'utf16le', { addBOM: true }),
      name: 'a',
      type: 'message/rfc822',
    },
    {
      what: 'a calendar with lines like headers',
      bytes: text('BEGIN:VCALENDAR\nVERSION:2.0\nX-WR-CALNAME:Team\nX-WR-TIMEZONE:Europe/Berlin\nEND:VCALENDAR\n'),
      name: 'a.ics',
      type: 'text/plain',
    },
    { what: 'HTML by its start', bytes: text('<!DOCTYPE html><p>Hi'), name: 'a.txt', type: 'text/html' },
    { what: 'a table by its name', bytes: text('a\nb\n'), name: 'a.CSV', type: 'text/csv' },
    { what: 'a table by its delimiters', bytes: text('a;b;c\n1;2;3\n4;5;6\n'), name: 'export', type: 'text/csv' },
    { what: 'Markdown by its name', bytes: text('# Title'), name: 'README.md', type: 'text/markdown' },
    { what: 'text named .pdf', bytes: text('Notes.'), name: 'a.pdf', type: 'text/plain' },
    { what: 'prose with commas', bytes: text('One, two.\nThree.\nFour, five.\n'), name: 'a', type: 'text/plain' },
    {
      what: 'text that begins like a bitmap',
      bytes: text('BM is short for something.'),
      name: 'a.txt',
      type: 'text/plain',
    },
  ])('$what', async ({ bytes, name, type }) => {
    expect(await detectType(bytes, name)).toBe(type);
  });

  it.each([
    { what: 'nothing', bytes: new Uint8Array(), kind: 'invalid', code: 'empty_file' },
    {
      what: 'an encrypted Office file',
      bytes: Buffer.concat([compoundFile, Buffer.from('EncryptedPackage', 'utf16le')]),
      kind: 'unsupported_type',
      code: 'encrypted_office_file',
    },
    { what: 'an Office file before 2007', bytes: compoundFile, kind: 'unsupported_type', code: 'legacy_office_file' },
    {
      what: 'an archive',
      bytes: Buffer.from('377abcaf271c0004', 'hex'),
      kind: 'unsupported_type',
      code: 'unsupported_file_type',
    },
    {
      what: 'junk',
      bytes: Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 97) % 256)),
      kind: 'unsupported_type',
      code: 'unsupported_file_type',
    },
  ])('rejects $what and says what to do', async ({ bytes, kind, code }) => {
    await expect(detectType(bytes, 'a.txt')).rejects.toMatchObject({
      kind,
      code,
      message: expect.stringMatching(/upload/i),
    });
  });
});
