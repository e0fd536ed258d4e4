import { describe, expect, it } from 'vitest';
import type { Word } from '../page/page.ts';
import { parseDocument } from '../parsing/parse-document.ts';
import { recognizePage } from '../ocr/recognize-page.ts';
import { buildPdf, line } from '../testing/build-pdf.ts';
import { pictureOf, png } from '../testing/picture.ts';
import { readMrz } from './mrz.ts';

/** The specimens of ICAO Doc 9303. */
const passport = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];
const card = ['I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<'];
const smallCard = ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6'];
const visa = ['V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L8988901C4UTO4009078F96121096ZE184226B<<<<<<'];
const smallVisa = ['V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'L8988901C4UTO4009078F9612109<<<<<<<<'];

const wordsOf = (lines: readonly string[], top = 100): Word[] =>
  lines.map((text, index) => ({ text, x0: 50, y0: top + index * 20, x1: 500, y1: top + 12 + index * 20 }));

describe('the lines of a document of travel', () => {
  it.each([
    [
      'td3',
      passport,
      {
        document_number: 'L898902C3',
        personal_number: 'ZE184226B',
        sex: 'female',
        birth_date: '1974-08-12',
        expiration_date: '2012-04-15',
      },
    ],
    ['td1', card, { document_number: 'D23145890', birth_date: '1974-08-12', expiration_date: '2012-04-15' }],
    ['td2', smallCard, { document_number: 'D23145890', birth_date: '1974-08-12' }],
    [
      'mrv_a',
      visa,
      { document_number: 'L8988901C', nationality: 'UTO', birth_date: '1940-09-07', optional: '6ZE184226B' },
    ],
    ['mrv_b', smallVisa, { document_number: 'L8988901C', birth_date: '1940-09-07' }],
  ] as const)('of format %s are read with their place', (profile, lines, fields) => {
    const words = [{ text: 'PASSPORT', x0: 50, y0: 20, x1: 150, y1: 34 }, ...wordsOf(lines)];
    const [found, ...others] = readMrz(words);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      kind: 'mrz',
      profile,
      data: { last_name: 'ERIKSSON', first_name: 'ANNA MARIA', ...fields, lines: [...lines] },
      box: { x0: 50, y0: 100, x1: 500 },
    });
  });

  it('in groups, with other signs for fillers, and with too many fillers, are the same', () => {
    const [first, second] = passport as [string, string];
    const words = [
      { text: first.slice(0, 14).replace('<<', '«'), x0: 50, y0: 100, x1: 190, y1: 112 },
      { text: `${first.slice(14)}<<`, x0: 195, y0: 101, x1: 500, y1: 113 },
      { text: second, x0: 50, y0: 120, x1: 500, y1: 132 },
    ];
    expect(readMrz(words)).toMatchObject([{ data: { first_name: 'ANNA MARIA', lines: passport } }]);
  });

  it('with a wrong digit name it and leave the value out', () => {
    const [first, second] = passport as [string, string];
    const [found] = readMrz(wordsOf([first, second.replace('7408122', '7408132')]));
    expect(found?.data).not.toHaveProperty('birth_date');
    expect(found?.data).toMatchObject({ document_number: 'L898902C3', expiration_date: '2012-04-15' });
    expect((found!.data['problems'] as string[]).join(' ')).toMatch(/Birth date check digit/u);
    const [paper] = readMrz(wordsOf([visa[0]!, visa[1]!.replace('L8988901C4', 'L8988901C5')]));
    expect(paper?.data).not.toHaveProperty('document_number');
  });

  it.each([
    ['text', ['P<UTO is the beginning of a passport', 'and this is no second line of one, is it']],
    ['code', ['A<<BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB', 'A<<BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB']],
    ['one line', [passport[0]!]],
    ['lines far from each other', []],
  ])('are not found in %s', (_, lines) => {
    const words = lines.length > 0 ? wordsOf(lines) : [...wordsOf([passport[0]!], 10), ...wordsOf([passport[1]!], 400)];
    expect(readMrz(words)).toEqual([]);
  });

  it('are found in the text layer of a PDF and on its picture', async () => {
    const content = passport.map((text, index) => line(text, 40, 100 - index * 24, 16)).join('');
    const bytes = buildPdf({ pages: [{ content: line('PASSPORT', 40, 200) + content, mediaBox: [0, 0, 612, 260] }] });
    const { pages } = await parseDocument({ bytes, mimeType: 'application/pdf' });
    expect(pages[0]!.machine_data).toMatchObject([
      { kind: 'mrz', profile: 'td3', data: { document_number: 'L898902C3' } },
    ]);
    const picture = png(await pictureOf(bytes, 3));
    const { page } = await recognizePage({ bytes: picture, mimeType: 'image/png', pageNumber: 1, engine: 'tesseract' });
    // What recognition makes of the fillers differs; what is given has right check digits.
    for (const { data } of page.machine_data ?? []) expect(data).toMatchObject({ last_name: 'ERIKSSON' });
  });
});
