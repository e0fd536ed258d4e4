import { describe, expect, it } from 'vitest';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { docx, paragraph, wordNamespaces as w } from '../../testing/office-file.ts';
import { openDocx } from './open-docx.ts';

async function textOf(body: string, more: Record<string, string | Uint8Array> = {}): Promise<string[]> {
  const { pages } = await openDocx(docx(body, more), defaultParseLimits);
  const [page] = [...pages];
  return page!.text.split('\n').filter((line) => line.trim() !== '');
}

const run = (text: string, properties = ''): string =>
  `<w:r>${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const item = (text: string, list: number, level = 0): string =>
  paragraph(text, `<w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>`);
const level = (at: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;

describe('paragraphs are numbered as Word shows them', () => {
  const numbering = (levels: string, lists: string): Record<string, string> => ({
    'word/numbering.xml': `<w:numbering ${w}><w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum>${lists}</w:numbering>`,
  });
  const list = (id: number, more = ''): string => `<w:num w:numId="${id}"><w:abstractNumId w:val="0"/>${more}</w:num>`;

  it('without a gap where a level has none', async () => {
    const none = '<w:suff w:val="nothing"/>';
    const levels = level(0, 'decimal', '§%1 ', none) + level(1, 'decimal', '%1', none) + level(2, 'bullet', '-', none);
    const body = [item('Subject', 1), item('a Scope', 1, 1), item('Price', 1, 2)].join('');
    const lines = await textOf(body, numbering(levels, list(1)));
    expect(lines.map((line) => line.trim())).toEqual(['§1 Subject', '1a Scope', '-Price']);
  });

  it('once where the end of a paragraph was deleted, and not where all of it was', async () => {
    const gone = (content: string): string =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:del/></w:rPr></w:pPr>${content}</w:p>`;
    const deleted = '<w:del><w:r><w:delText>Two</w:delText></w:r></w:del>';
    const body = item('One', 1) + gone(deleted) + item('Three', 1) + gone(run('Fo')) + item('ur', 1);
    const lines = await textOf(body, numbering(level(0, 'decimal', '%1.'), list(1)));
    expect(lines.map((line) => line.trim())).toEqual(['1. One', '2. Three', '3. Four']);
  });

  it('with levels, letters and Roman numbers, across other paragraphs', async () => {
    const levels = level(0, 'decimal', 'Article %1') + level(1, 'decimal', '%1.%2') + level(2, 'lowerRoman', '(%3)');
    const body = [
      item('A', 1),
      item('B', 1, 1),
      item('C', 1, 2),
      item('D', 1, 2),
      paragraph('between'),
      item('E', 1, 1),
      item('F', 1),
      item('G', 1, 1),
    ];
    expect(await textOf(body.join(''), numbering(levels, list(1)))).toEqual([
      'Article 1 A',
      '  1.1 B',
      '    (i) C',
      '    (ii) D',
      'between',
      '  1.2 E',
      'Article 2 F',
      '  2.1 G',
    ]);
  });

  it('where a level is skipped, which has begun with what stands below it', async () => {
    const levels = level(0, 'decimal', '%1') + level(1, 'lowerLetter', '%1.%2') + level(2, 'upperRoman', '%1.%2.%3');
    const body = item('A', 1) + item('B', 1, 2) + item('C', 1, 1);
    expect(await textOf(body, numbering(levels, list(1)))).toEqual(['1 A', '    1.a.I B', '  1.b C']);
  });

  it('where a list begins again, and where another one goes on', async () => {
    const restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>';
    const body = item('A', 1) + item('B', 2) + item('C', 2) + item('D', 3);
    const found = await textOf(body, numbering(level(0, 'upperLetter', '%1)'), list(1) + list(2) + list(3, restart)));
    expect(found).toEqual(['A) A', 'B) B', 'C) C', 'G) D']);
  });

  it('where a list within another one begins again, as if it stood alone', async () => {
    const restart = [0, 1, 2].map((at) => `<w:lvlOverride w:ilvl="${at}"><w:startOverride w:val="1"/></w:lvlOverride>`);
    const levels = level(0, 'decimal', '%1.') + level(1, 'decimal', '%1.%2') + level(2, 'decimal', '%1.%2.%3');
    const lists = [1, 2, 3].map((id) => list(id, restart.join(''))).join('');
    const body = item('A', 1) + item('B', 2, 1) + item('C', 2, 1) + item('D', 1) + item('E', 3, 1) + item('F', 1);
    expect(await textOf(body, numbering(levels, lists))).toEqual([
      '1. A',
      '  1.1 B',
      '  1.2 C',
      '2. D',
      '  2.1 E',
      '3. F',
    ]);
    expect(await textOf(item('A', 1, 1), numbering(levels, lists))).toEqual(['  1.1 A']);
  });

  it('with zeros before them, which only newer programs name', async () => {
    const levels = `<w:lvl w:ilvl="0"><w:start w:val="9"/><mc:AlternateContent><mc:Choice Requires="w14"><w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice><mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent><w:lvlText w:val="%1)"/></w:lvl>`;
    expect(await textOf(item('A', 1) + item('B', 1), numbering(levels, list(1)))).toEqual(['009) A', '010) B']);
  });

  it('by their style, and in legal numbers', async () => {
    const levels =
      level(0, 'upperRoman', '%1.', '<w:pStyle w:val="H1"/>') +
      level(1, 'decimal', '%1.%2', '<w:pStyle w:val="H2"/><w:isLgl/>');
    const styles = ['H1', 'H2'].map(
      (id) =>
        `<w:style w:type="paragraph" w:styleId="${id}"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`,
    );
    const heading = (text: string, style: string): string =>
      paragraph(text, `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`);
    const found = await textOf(heading('Scope', 'H1') + heading('Terms', 'H2'), {
      ...numbering(levels, list(1)),
      'word/styles.xml': `<w:styles ${w}>${styles.join('')}</w:styles>`,
    });
    expect(found).toEqual(['I. Scope', '  1.1 Terms']);
  });
});
