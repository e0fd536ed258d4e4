import iconv from 'iconv-lite';
import { expect, it } from 'vitest';
import { canDecode, decodeText } from './decode-text.ts';

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

it.each([
  ['windows-1250', 'Imię;Kwota\nŻółć Łukasz;12,50 zł\nŚwięty Paweł;3,20 zł\n'],
  ['windows-1250', 'Jméno;Částka\nŘehoř Dvořák;1 200,50 Kč\n'],
  ['windows-1250', 'Név;Összeg\nSzabó Ödön;1200 Ft\nKőműves Éva;300 Ft\n'],
  ['iso-8859-2', 'Imię;Kwota\nŻółć Łukasz;12,50 zł\nGęślą jaźń;1,00 zł\n'],
  ['windows-1257', 'Vārds;Summa\nJānis Bērziņš;12,50\nŠķēle Ģirts;3\n'],
  ['windows-1254', 'İsim;Tutar\nŞükrü Öğüt;12,50\nÇağrı Işık;3\n'],
  ['windows-1251', 'Рахунок для підприємства її\n'],
  ['windows-1255', 'שם;סכום\nיוסי כהן;12\nדוד לוי;30\n'],
  ['koi8-r', 'Имя;Сумма\nИванов Пётр;1200,50\n'],
  ['cp866', 'Имя;Сумма\nИванов Пётр;1200,50\nСидорова Анна Владимировна;300,00\n'],
  ['shift_jis', 'ご請求書を送付いたします。\n'],
  ['shift_jis', '税込,税抜\n110,100\n'],
  ['shift_jis', '氏名,住所\n山田太郎,東京都\n'],
  ['euc-jp', '会社名 株式会社青空商事\n'],
  ['gb18030', '品名,金额\n铅笔,100\n'],
  ['gb18030', '公司名称 蓝天贸易有限公司\n'],
  ['big5', '商品,數量,單價\n蘋果,3,120\n'],
  ['euc-kr', '품명,금액\n연필,100\n'],
  ['windows-1252', 'Señor Muñoz, año 2026, ¿qué tal? ¡Sí!\n'],
  ['windows-1252', 'Blåbær på øya, 100 °C ± 5 µm, £5 — “quoted”\n'],
  ['windows-1252', 'Città è più\n'],
])('finds %s in a few lines', (encoding, text) => {
  expect(decodeText(iconv.encode(text, encoding))).toBe(text);
});

it('finds UTF-8 with a damaged sign', () => {
  const text = 'Über Qualität und Zuverlässigkeit kümmern wir uns: schätzen, gründen, prüfen, zählen. ';
  expect(decodeText(Buffer.concat([Buffer.from(text), Buffer.of(0xfc), Buffer.from('ber')]))).toBe(`${text}\ufffdber`);
});

it.each(['constructor', '__proto__'])('knows no encoding of the name %s, which every object has', (name) => {
  expect(canDecode(name)).toBe(false);
});
