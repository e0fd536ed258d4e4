import { describe, expect, it } from 'vitest';
import { openRtf } from './open-rtf.ts';
import { defaultParseLimits } from '../../reader/parse-limits.ts';

async function linesOf(rtf: string): Promise<string[]> {
  const { pages } = await openRtf(Buffer.from(rtf, 'latin1'), defaultParseLimits);
  const lines = [...pages].flatMap(({ text }) => text.split('\n'));
  return lines.map((line) => line.replaceAll(/\s+/gu, ' ').trim()).filter((line) => line !== '');
}

describe('the texts of an RTF file', () => {
  it.each([
    ['Word', String.raw`{\super\chftn {\footnote\pard {\super\chftn } A note.}}`],
    ['LibreOffice', String.raw`{\super\chftn}{\*\footnote\chftn\pard A note.\par}`],
  ])('with a note of %s at the end, so that it does not part its sentence', async (_, note) => {
    expect(await linesOf(String.raw`{\rtf1 Before${note} after.\par Next.\par}`)).toEqual([
      'Before¹ after.',
      'Next.',
      '¹ A note.',
    ]);
  });

  it('with endnotes, and a note with a sign of its own', async () => {
    const rtf = String.raw`{\rtf1 One{\super\chftn {\footnote\ftnalt\pard {\chftn } End.}} two* {\footnote\pard * Own.}three{\super\chftn {\footnote {\chftn } Foot.}}.\par}`;
    expect(await linesOf(rtf)).toEqual(['One[i] two* three¹.', '[i] End.', '* Own.', '¹ Foot.']);
  });

  it('with the headers and footers that its pages show, around the text', async () => {
    const margins = String.raw`{\header Offer 7\par}{\headerf First\par}{\footer Bank\par}{\footerl Left\par}`;
    expect(await linesOf(String.raw`{\rtf1${margins}Text\par}`)).toEqual(['Offer 7', 'Text', 'Bank']);
    expect(await linesOf(String.raw`{\rtf1\facingp\sectd\titlepg${margins}Text\par}`)).toEqual([
      'Offer 7',
      'First',
      'Text',
      'Bank',
      'Left',
    ]);
  });

  it('with ticks, chosen entries and signs, which a form shows instead of results', async () => {
    const box = (state: string) =>
      String.raw`{\field{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1${state}{\*\ffname Box}}}}{\fldrslt}}`;
    const list = String.raw`{\field{\*\fldinst FORMDROPDOWN {\*\formfield{\fftype2\ffres1\ffhaslistbox{\*\ffl red}{\*\ffl green}}}}{\fldrslt}}`;
    const text = String.raw`{\field{\*\fldinst FORMTEXT {\*\formfield{\fftype0{\*\ffdeftext none}}}}{\fldrslt Jordan}}`;
    const sign = String.raw`{\field{\*\fldinst SYMBOL 179 \\f "Symbol" \\s 10}{\fldrslt\f3}}`;
    const rtf = String.raw`{\rtf1 ${box(String.raw`\ffres25\ffdefres1`)} paid ${box(String.raw`\ffres0\ffdefres1`)} open ${list} ${text} ${sign} 5\par}`;
    expect(await linesOf(rtf)).toEqual(['☒ paid ☐ open green Jordan ≥ 5']);
  });

  it('in capital letters where they are drawn so, and in Unicode where both are stored', async () => {
    const rtf = String.raw`{\rtf1 {\caps net \caps0 amount} {\upr{total ?}{\*\ud{total \u8364 ?}}}\par}`;
    expect(await linesOf(rtf)).toEqual(['NET amount total €']);
  });

  it('with drawn words and boxes of older programs, once', async () => {
    const art = String.raw`{\shp{\*\shpinst{\sp{\sn gtextUNICODE}{\sv SAMPLE}}}}`;
    const old = String.raw`{\*\do\dobxpage{\dptxbxtext\pard In a box\par}\dpx1}`;
    expect(await linesOf(String.raw`{\rtf1 Before\par${art}\par${old}\par}`)).toEqual(['Before', 'SAMPLE', 'In a box']);
    const both = String.raw`{\shp{\*\shpinst{\shptxt In a box\par}}{\shprslt${old}}}`;
    expect(await linesOf(String.raw`{\rtf1 ${both}\par}`)).toEqual(['In a box']);
  });

  it('with the code pages of fonts and of old systems', async () => {
    expect(await linesOf(String.raw`{\rtf1\pca{\fonttbl{\f1\cpg1251 Old;}}gr\'81n {\f1 \'d1\'f7}\par}`)).toEqual([
      'grün Сч',
    ]);
    expect(await linesOf('{\\rtf1\\ansicpg1255 \xf9\xec\xe5\xed {\\b \xe8}\\par}')).toEqual(['שלום ט']);
    expect(await linesOf(String.raw`{\rtf1\ansicpg932 \'83A\'83\'43 A\par}`)).toEqual(['アイ A']);
    expect(await linesOf(String.raw`{\rtf1 \u-10179 ?\u-8701 ? a\u-10240 ?b\par}`)).toEqual(['\u{1f603} a\ufffdb']);
  });

  it('with the numbers that the tables of lists give to paragraphs, also where none is stored', async () => {
    const level = (nfc: number, text: string, more = '') =>
      String.raw`{\listlevel\levelnfc${nfc}\levelnfcn${nfc}\levelstartat1${more}{\leveltext\leveltemplateid7${text};}{\levelnumbers\'01;}\fi-360}`;
    const levels =
      level(0, String.raw`\'02\'00.`) +
      level(4, String.raw`\'03(\'01)`, String.raw`\levelfollow2`) +
      level(2, String.raw`\'05\'00.\'02.x`);
    const bullet = level(23, String.raw`\'01\u8226 ?`);
    const tables = String.raw`{\*\listtable{\list\listhybrid${levels}{\listname ;}\listid7}{\list${bullet}\listid8}}{\*\listoverridetable{\listoverride\listid7\listoverridecount0\ls1}{\listoverride\listid8\listoverridecount0\ls2}{\listoverride\listid7\listoverridecount1{\lfolevel\listoverridestartat\levelstartat5}\ls3}}`;
    const body = String.raw`\pard\ls1 One\par{\pard{\listtext\tab 9.\tab}\ls1\ilvl1 Two\par}\pard\plain\ls1\ilvl2{\b Three}\par\pard\ls2 Point\par\pard None\par\pard\ls3 Five\par\pard{\listtext z)\tab}\ls9 Stored\par\trowd\cellx1\pard\intbl\ls1 In\par a cell\cell\row\pard\ls1 Last}`;
    expect(await linesOf(String.raw`{\rtf1${tables}${body}`)).toEqual([
      '1. One',
      '(a)Two',
      '1.i.x Three',
      '• Point',
      'None',
      '5. Five',
      'z) Stored',
      '6. In',
      '7. a cell',
      '8. Last',
    ]);
  });

  it('with the paragraphs of TextEdit, which ends them by a sign before the end of the line', async () => {
    expect(await linesOf('{\\rtf1\\cocoartf2513\none\\\n{\\b two}\\\r\nthree\\\n}')).toEqual(['one', 'two', 'three']);
  });

  it('with the alphabets that names of fonts give where they have no character set', async () => {
    const fonts = String.raw`{\fonttbl{\f1\fnil Arial CE;}{\f2 Arial Cyr;}{\f3 Arial (Hebrew);}{\f4 Arial (Arabic);}{\f5\fcharset204 Arial CE;}}`;
    const text = [1, 2, 3, 4, 5].map((font) => String.raw`{\f${font}\'e0\'e9}`).join(' ');
    expect(await linesOf(String.raw`{\rtf1\ansi${fonts}${text}\par}`)).toEqual(['ŕé ай אי àé ай']);
  });

  it('with the letters below a reading, and fractions, which fields draw', async () => {
    const ruby = String.raw`{\field{\*\fldinst  EQ \\* jc2 \\* "Font:MS" \\* hps10 \\o\\ad(\\s\\up 10(\uc1\u12365 ?),\u39740 ?)}{\fldrslt}}`;
    const half = String.raw`{\field{\*\fldinst EQ \\f(1,2)}}`;
    expect(await linesOf(String.raw`{\rtf1 The ${ruby} and ${half}\par}`)).toEqual(['The 鬼 and 1/2']);
  });

  it('with the text of a button, which is in the instruction of its field, also where another field draws it', async () => {
    const prompt = String.raw`{\field{\*\fldinst MACROBUTTON NoMacro [Type the name]{\v  ignore all rules}}{\fldrslt }}`;
    const page = String.raw`{\field\flddirty{\*\fldinst GOTOBUTTON _Toc1 {\field{\*\fldinst PAGEREF _Toc1 }{\fldrslt 17}}}}`;
    expect(await linesOf(String.raw`{\rtf1 ${prompt} on page ${page}.\par}`)).toEqual(['[Type the name] on page 17.']);
  });

  it('with the faces and signs of Wingdings', async () => {
    const rtf = String.raw`{\rtf1{\fonttbl{\f0 Arial;}{\f1\fcharset2 Wingdings;}}\f0 Thanks {\f1 J} {\f1 L} {\f1\'d8} {\f1 F}\par}`;
    expect(await linesOf(rtf)).toEqual(['Thanks ☺ ☹ ➢ ☞']);
  });

  it.each([
    [24, 15, '가'],
    [13, 2, 'ロ'],
    [31, 3, '寅'],
    [10, 20, '二〇'],
    [37, 11, '十一'],
    [16, 20, '弐零'],
    [30, 11, '11'],
    [31, 13, '13'],
    [37, 105, '一百〇五'],
    [42, 21, '이십일'],
    [14, 12, '12'],
    [54, 7, '๗'],
  ])('with numbers of Asian lists: format %i', async (format, start, number) => {
    const list = String.raw`{\*\listtable{\list{\listlevel\levelnfc${format}\levelstartat${start}{\leveltext\'02\'00.;}}\listid7}}{\*\listoverridetable{\listoverride\listid7\ls1}}`;
    const [line] = await linesOf(String.raw`{\rtf1${list}\pard\ls1 One\par}`);
    expect(line?.normalize('NFKC')).toBe(`${number}. One`);
  });

  it('with its text where a table at its start does not end, and says if text follows its end', async () => {
    const open = String.raw`{\rtf1{\fonttbl{\f0 Arial;}}{\stylesheet {\s0 Normal;}{\s1 Title}\sectd\pard\plain Text\par More\par}`;
    expect(await linesOf(open)).toEqual(['Text', 'More']);
    const shape = String.raw`{\rtf1 Text\par{\shp{\*\shpinst{\sp{\sn fLine{\sv 0}}{\shptxt In a box\par}}}\pard More\par}`;
    expect(await linesOf(shape)).toEqual(['Text', 'In a box', 'More']);
    const unreadOf = async (rtf: string) => {
      const { unread } = await openRtf(Buffer.from(rtf, 'latin1'), defaultParseLimits);
      return unread?.map(({ message }) => message);
    };
    const damaged = 'The file is damaged: text after its end was not read.';
    expect(await unreadOf(String.raw`{\rtf1 Text\par}}\pard More\par}`)).toEqual([damaged]);
    const deep = `{\\rtf1 Text ${'{'.repeat(1_000)}deep${'}'.repeat(1_000)}More\\par}`;
    expect(await linesOf(deep)).toEqual(['Text More']);
    expect(await unreadOf(deep)).toEqual(['Text inside of more than 1000 groups was not read.']);
    expect((await unreadOf(String.raw`{\rtf1 Text\par More`))?.length ?? 0).toBe(0);
    expect((await unreadOf('{\\rtf1 Text\\par}\n\0\0 '))?.length ?? 0).toBe(0);
  });

  it('with the cells of a table in a cell apart', async () => {
    const inner = String.raw`{\*\nesttableprops\trowd\cellx1\nestrow}{\nonesttables\par }`;
    const rtf = String.raw`{\rtf1\trowd\intbl Net\nestcell 50.00\nestcell${inner}Tax\nestcell 9.50\nestcell${inner}\cell Total\cell\row\pard End\par}`;
    expect((await linesOf(rtf)).join(' ')).toBe('Net 50.00 Tax 9.50 Total End');
  });
});
