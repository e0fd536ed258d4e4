import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { detectType } from '../../detect/detect-type.ts';
import { readerOf } from '../../parsing/reader-of.ts';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { signedContent } from './signed-content.ts';

async function read(bytes: Uint8Array, name = 'a.eml') {
  const type = await detectType(bytes, name);
  const document = await (await readerOf(type))(bytes, defaultParseLimits);
  const lines = [...document.pages].flatMap(({ text }) => text.split('\n')).filter((line) => line.trim() !== '');
  const files = [...(document.files ?? [])].map((file) => [file.name, Buffer.from(file.bytes).toString('latin1')]);
  return { type, lines, files, unread: document.unread ?? [] };
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff]), content]);
}
const oid = (end: readonly number[]): Buffer =>
  Buffer.from([6, end.length + 6, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, ...end]);
const dataKind = oid([1, 7, 1]);

/** Signed without a signature: only what it encloses is read. */
function signed(content: Uint8Array, octets = der(4, content)): Buffer {
  const enclosed = der(0x30, dataKind, der(0xa0, octets));
  const body = der(0x30, Buffer.from([2, 1, 1]), der(0x31), enclosed, der(0x31));
  return der(0x30, oid([1, 7, 2]), der(0xa0, body));
}

function compressed(content: Uint8Array): Buffer {
  const enclosed = der(0x30, dataKind, der(0xa0, der(4, deflateSync(content))));
  const body = der(0x30, Buffer.from([2, 1, 0]), der(0x30), enclosed);
  return der(0x30, oid([1, 9, 16, 1, 9]), der(0xa0, body));
}

function mailWith(type: string, content: Uint8Array): Buffer {
  const coded = Buffer.from(content).toString('base64').replaceAll(/.{76}/gu, '$&\n');
  return Buffer.from(
    `Subject: S\nFrom: a@example.org\nContent-Type: ${type}\nContent-Transfer-Encoding: base64\n\n${coded}\n`,
  );
}

describe('content with a signature around it', () => {
  const inner = Buffer.from(
    'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nTotal 14.28 EUR\n--b\nContent-Type: application/pdf; name=a.pdf\n\n%PDF-1\n--b--\n',
  );
  const inPieces = der(0x24, der(4, inner.subarray(0, 50)), der(4, inner.subarray(50)));
  const long = [...inner, ...Buffer.alloc(10_500, '\n')];
  const inManyPieces = der(0x24, ...long.map((byte) => der(4, Buffer.from([byte]))));

  it.each([
    ['signed', signed(inner)],
    ['in pieces', signed(inner, inPieces)],
    ['in 10,000 pieces', signed(inner, inManyPieces)],
    ['signed twice', signed(signed(inner))],
    ['compressed', compressed(inner)],
  ])('is the text and the files of a mail: %s', async (_, content) => {
    const { lines, files, unread } = await read(mailWith('application/pkcs7-mime; name=smime.p7m', content));
    expect(lines.slice(2)).toEqual(['Total 14.28 EUR', 'Attachments:', '- a.pdf']);
    expect(files).toEqual([['a.pdf', '%PDF-1']]);
    expect(unread).toEqual([]);
  });

  it('is unpacked as long as all parts of the mail together have room', () => {
    const unpacked = { bytes: 0 };
    expect(signedContent(compressed(inner), unpacked)).toHaveLength(inner.length);
    expect(signedContent(compressed(inner), unpacked)).toHaveLength(inner.length);
    expect(unpacked.bytes).toBe(2 * inner.length);
    unpacked.bytes = 200 * 1024 * 1024 - 10;
    expect(signedContent(compressed(inner), unpacked)).toBeUndefined();
  });

  it.each(['compressed-data', 'Signed-Data', 'certs-only'])('that cannot be opened is a file: %s', async (kind) => {
    const mail = mailWith(`application/pkcs7-mime; smime-type=${kind}; name=smime.p7m`, Buffer.from('0 damaged'));
    const { files, unread } = await read(mail);
    expect(files).toEqual([['smime.p7m', '0 damaged']]);
    expect(unread).toEqual([]);
  });

  it('is an attachment without its signature', async () => {
    const mail = mailWith('application/octet-stream; name="IT01_FPA01.xml.p7m"', signed(Buffer.from('<?xml?><a/>')));
    expect((await read(mail)).files).toEqual([['IT01_FPA01.xml', '<?xml?><a/>']]);
  });

  it.each([
    ['binary', signed(Buffer.from('<?xml version="1.0"?><a/>'))],
    ['base64', Buffer.from(signed(Buffer.from('<?xml version="1.0"?><a/>')).toString('base64'))],
  ])('is the one file of an uploaded file, %s', async (_, bytes) => {
    const { type, lines, files } = await read(bytes, 'IT01.xml.p7m');
    expect(type).toBe('application/pkcs7-mime');
    expect(lines).toEqual(['Signed file:', '- signed.xml']);
    expect(files).toEqual([['signed.xml', '<?xml version="1.0"?><a/>']]);
  });

  it('that is an uploaded mail is read as a mail; a signature alone is no document', async () => {
    expect((await read(signed(inner), 'smime.p7m')).lines.slice(0, 1)).toEqual(['Total 14.28 EUR']);
    const whole = Buffer.from('From: a@example.com\r\nTo: b@example.com\r\nSubject: Order\r\n\r\nTotal 14.28 EUR\r\n');
    const { lines, files } = await read(signed(whole), 'order.eml.p7m');
    expect([lines.slice(0, 4), files]).toEqual([
      ['From: a@example.com', 'To: b@example.com', 'Subject: Order', 'Total 14.28 EUR'],
      [],
    ]);
    await expect(read(signed(inner, Buffer.alloc(0)), 'smime.p7m')).rejects.toThrow('no content');
  });
});

describe('winmail.dat', () => {
  it.each(['attachments', 'properties'])('with too many %s is refused before they fill the memory', async (of) => {
    const start = Buffer.from([2, 2, 0x90, 6, 0, 0, 0, 0, 0, 0, 0]);
    const values = Buffer.alloc(4 + 8 * 9_000);
    values.writeUInt32LE(9_000);
    for (let at = 0; at < 9_000; at += 1) values.writeUInt32LE(at * 0x1_0000 * 3 + 3, 4 + 8 * at);
    const head = Buffer.from([2, 5, 0x90, 6, 0, 0, 0, 0, 0]);
    head.writeUInt32LE(values.length, 5);
    const one = of === 'attachments' ? start : Buffer.concat([start, head, values, Buffer.alloc(2)]);
    const all = Array.from({ length: of === 'attachments' ? 6_000 : 40 }, () => one);
    const hostile = Buffer.concat([Buffer.from([0x78, 0x9f, 0x3e, 0x22, 1, 0]), ...all]);
    await expect(read(hostile, 'winmail.dat')).rejects.toMatchObject({ code: 'document_too_large' });
  });

  const number = (value: number, size = 4): Buffer => {
    const bytes = Buffer.alloc(size);
    bytes.writeUIntLE(value, 0, size);
    return bytes;
  };
  const attribute = (level: number, id: number, data: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from([level]), number(id), number(data.length), data, number(0, 2)]);
  const property = (id: number, type: number, value: Uint8Array): Buffer =>
    Buffer.concat([
      number(type, 2),
      number(id, 2),
      number(1),
      number(value.length),
      value,
      Buffer.alloc((4 - (value.length % 4)) % 4),
    ]);
  const properties = (...list: readonly Buffer[]): Buffer => Buffer.concat([number(list.length), ...list]);
  const wide = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le');
  const named = Buffer.concat([
    number(3, 2),
    number(0x8001, 2),
    Buffer.alloc(16),
    number(1),
    number(6),
    wide('xy'),
    Buffer.alloc(2),
    number(7),
  ]);
  const flag = Buffer.concat([number(0x0b, 2), number(0x0e1b, 2), number(1)]);
  const start = Buffer.concat([number(0x223e9f78), number(1, 2)]);
  const page = '<p>Total 14.28 EUR</p><img src="cid:logo"><p style="display:none">no</p>';
  const file = Buffer.concat([
    attribute(2, 0x69002, Buffer.alloc(14)),
    attribute(2, 0x18010, Buffer.from('PLAN~1.TXT\0')),
    attribute(2, 0x6800f, Buffer.from('first')),
    attribute(2, 0x69005, properties(flag, named, property(0x3707, 0x1f, wide('plan für März.txt')))),
  ]);
  const nested = Buffer.concat([start, attribute(1, 0x69003, properties(property(0x37, 0x1f, wide('Inner'))))]);
  const mail = Buffer.concat([
    attribute(2, 0x69002, Buffer.alloc(14)),
    attribute(
      2,
      0x69005,
      properties(
        property(0x3001, 0x1f, wide('Inner')),
        property(0x3701, 0x0d, Buffer.concat([Buffer.alloc(16), nested])),
      ),
    ),
  ]);
  const body = attribute(1, 0x69003, properties(flag, named, property(0x1013, 0x102, Buffer.from(page))));
  const whole = Buffer.concat([start, body, file, mail]);

  it('has the files of its mail, and the text where the mail has none', async () => {
    const { lines, files } = await read(mailWith('application/ms-tnef; name=winmail.dat', whole));
    expect(lines.slice(2)).toEqual(['Total 14.28 EUR', 'Attachments:', '- plan für März.txt', '- Inner.tnef']);
    expect(files[0]).toEqual(['plan für März.txt', 'first']);
    expect((await read(Buffer.from(files[1]![1]!, 'latin1'), 'x')).lines).toEqual(['Subject: Inner']);
  });

  it.each([
    ['another text', 'Scanned by Contoso', ['Scanned by Contoso', 'Total 14.28 EUR']],
    ['the same text', 'Total: 14.28 EUR', ['Total: 14.28 EUR']],
  ])('has its text once beside %s', async (_, text, shown) => {
    const coded = whole.toString('base64').replaceAll(/.{76}/gu, '$&\n');
    const parts = `--b\n\n${text}\n--b\nContent-Type: application/ms-tnef\nContent-Transfer-Encoding: base64\n\n${coded}\n--b--\n`;
    const mail = `Subject: S\nFrom: a@example.org\nContent-Type: multipart/mixed; boundary=b\n\n${parts}`;
    const { lines } = await read(Buffer.from(mail));
    expect(lines.slice(2)).toEqual([...shown, 'Attachments:', '- plan für März.txt', '- Inner.tnef']);
  });

  it('can be uploaded, and is read up to where it is cut', async () => {
    const { type, files } = await read(whole.subarray(0, whole.length - 40), 'winmail.dat');
    expect(type).toBe('application/ms-tnef');
    expect(files[0]).toEqual(['plan für März.txt', 'first']);
  });
});
