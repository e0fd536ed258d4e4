import iconv from 'iconv-lite';
import { expect, it } from 'vitest';
import { decodeText } from './decode-text.ts';

const german = 'Größe: 12 €\nFür Käufer über Straße, schön.\n';

it.each([
  ['UTF-8', Buffer.from(german)],
  ['UTF-8 with a byte order mark', iconv.encode(german, 'utf8', { addBOM: true })],
  ['UTF-16 with a byte order mark', iconv.encode(german, 'utf16le', { addBOM: true })],
  ['big-endian UTF-16 with a byte order mark', iconv.encode(german, 'utf16be', { addBOM: true })],
  ['UTF-16 without a byte order mark', iconv.encode(german, 'utf16le')],
  ['Windows-1252', iconv.encode(german, 'windows-1252')],
])('decodes %s', (_, bytes) => {
  expect(decodeText(bytes)).toBe(german);
});

it('normalizes all line ends', () => {
  expect(decodeText(Buffer.from('a\r\nb\rc\n'))).toBe('a\nb\nc\n');
});
