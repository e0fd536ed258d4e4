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

  it('with the cells of a table in a cell apart', async () => {
    const inner = String.raw`{\*\nesttableprops\trowd\cellx1\nestrow}{\nonesttables\par }`;
    const rtf = String.raw`{\rtf1\trowd\intbl Net\nestcell 50.00\nestcell${inner}Tax\nestcell 9.50\nestcell${inner}\cell Total\cell\row\pard End\par}`;
    expect((await linesOf(rtf)).join(' ')).toBe('Net 50.00 Tax 9.50 Total End');
  });
});
