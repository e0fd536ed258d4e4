import { expect, it } from 'vitest';
import { documentNameFrom } from './document-name.ts';

it.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\scans\\März 📄.pdf', 'März 📄.pdf'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['a\u0000b\n.txt', 'ab.txt'],
  ['..', 'unnamed'],
  ['', 'unnamed'],
])('removes paths and invisible characters from %j', (given, shown) => {
  expect(documentNameFrom(given)).toBe(shown);
});

it('shortens a long name, keeps its extension and splits no character', () => {
  const name = documentNameFrom(`${'📄'.repeat(300)}.pdf`);
  expect(name.length).toBeLessThanOrEqual(255);
  expect(name).toMatch(/^(📄)+\.pdf$/u);
});
