import { burn } from '@kenjiuno/msgreader/lib/Burner.js';
import { TypeEnum } from '@kenjiuno/msgreader/lib/Reader.js';
import { expect, it } from 'vitest';
import { detectType } from '../../detect/detect-type.ts';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { openMsg } from './open-msg.ts';

async function linesOf(bytes: Uint8Array): Promise<string[]> {
  const { pages } = await openMsg(bytes, defaultParseLimits);
  return [...pages].flatMap(({ text }) => text.split('\n')).filter((line) => line.trim() !== '');
}

/** A mail as Outlook stores it, of its properties. */
function outlookMail(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const names = Object.keys(streams);
  const root = {
    name: 'Root Entry',
    type: TypeEnum.ROOT,
    children: names.map((_, index) => index + 1),
    length: 0,
  };
  const entries = names.map((name) => ({
    name,
    type: TypeEnum.DOCUMENT,
    length: streams[name]!.length,
    binaryProvider: () => streams[name]!,
  }));
  return burn([root, ...entries]);
}

it('a mail of Outlook is read, and a cut one fails', async () => {
  const text = (content: string): Uint8Array => new Uint8Array(Buffer.from(content, 'utf16le'));
  const bytes = outlookMail({
    '__properties_version1.0': new Uint8Array(32),
    '__substg1.0_0037001F': text('Offer'),
    '__substg1.0_0C1A001F': text('Ada'),
    '__substg1.0_5D01001F': text('ada@example.org'),
    '__substg1.0_1000001F': text('Total 14.28 EUR\r\n'),
  });
  expect(await detectType(bytes, 'a.msg')).toBe('application/vnd.ms-outlook');
  await expect(openMsg(bytes.slice(0, 700), defaultParseLimits)).rejects.toThrow();
  expect(await linesOf(bytes)).toEqual(['From: Ada <ada@example.org>', 'Subject: Offer', 'Total 14.28 EUR']);
  // Within an organization the sender has an address of Exchange, and the address of mail is in the lines of the transport.
  const inside = outlookMail({
    '__properties_version1.0': new Uint8Array(32),
    '__substg1.0_0C1A001F': text('Ada'),
    '__substg1.0_0C1F001F': text('/O=FIRM/OU=GROUP/CN=RECIPIENTS/CN=ADA@FIRM'),
    '__substg1.0_007D001F': text(
      'Received: by example\r\nFrom: Ada Lee\r\n <ada@example.org>\r\nTo: b@example.org\r\n',
    ),
  });
  expect(await linesOf(inside)).toEqual(['From: Ada <ada@example.org>']);
});

it('a mail of Outlook that is not in Unicode is read in its code page', async () => {
  const properties = Buffer.alloc(48);
  properties.writeUInt32LE(0x3ffd0003, 32);
  properties.writeUInt32LE(1251, 40);
  const lines = await linesOf(
    outlookMail({
      '__properties_version1.0': new Uint8Array(properties),
      '__substg1.0_0037001E': Uint8Array.of(0xd1, 0xf7, 0xe5, 0xf2),
      '__substg1.0_1000001F': new Uint8Array(Buffer.from('Всего €5', 'utf16le')),
    }),
  );
  expect(lines).toEqual(['Subject: Счет', 'Всего €5']);
});

it('a mail of Outlook whose text is stored as RTF alone is read', async () => {
  const bodyOf = (rtf: string, kind = 'MELA'): Uint8Array => {
    const head = Buffer.alloc(16);
    head.writeUInt32LE(rtf.length + 12, 0);
    head.writeUInt32LE(rtf.length, 4);
    head.write(kind, 8);
    return new Uint8Array(Buffer.concat([head, Buffer.from(rtf, 'latin1')]));
  };
  const mail = (rtf: Uint8Array) =>
    outlookMail({ '__properties_version1.0': new Uint8Array(32), '__substg1.0_10090102': rtf });
  const html = String.raw`{\rtf1\ansi\fromhtml1 {\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Total 95,20 \'80{\*\htmltag84 &nbsp;}\htmlrtf \'a0\htmlrtf0 net{\*\htmltag72 </p>}\htmlrtf\par}\htmlrtf0 Thanks}`;
  expect(await linesOf(mail(bodyOf(html)))).toEqual(['Total 95,20 €\u00a0net', 'Thanks']);
  const table = String.raw`{\rtf1\ansi\ansicpg1251\fromhtml1{\fonttbl{\f0 Arial;}}\f0{\*\htmltag64 <table><tr><td>}\'d1\'f7{\*\htmltag72 </td>}{\*\htmltag64 <td>}a &amp;{\*\htmltag84  }100.00{\*\htmltag72 </td></tr></table>}{\*\mhtmltag64 <p>}\htmlrtf twice\htmlrtf0{\*\htmltag64 <ol start=3><li>}third \u8364?{\*\htmltag72 </li></ol>}}`;
  expect(await linesOf(mail(bodyOf(table)))).toEqual(['Сч  a & 100.00', '  3. third €']);
  const { unread } = await openMsg(mail(bodyOf('{', 'none')), defaultParseLimits);
  expect(unread).toEqual([expect.objectContaining({ kind: 'other' })]);
});
