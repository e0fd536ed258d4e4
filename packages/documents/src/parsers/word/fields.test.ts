import { describe, expect, it } from 'vitest';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { docx } from '../../testing/office-file.ts';
import { openDocx } from './open-docx.ts';

const mark = (kind: string): string => `<w:r><w:fldChar w:fldCharType="${kind}"/></w:r>`;
const instruction = (text: string): string => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const field = (text: string, more = ''): string => mark('begin') + instruction(text) + more + mark('end');

async function textOf(runs: string): Promise<string> {
  const { pages } = await openDocx(docx(`<w:p>${runs}</w:p>`), defaultParseLimits);
  return [...pages].map(({ text }) => text.trim()).join('\n');
}

describe('a Word document returns what fields without a result draw', () => {
  it('such as the letters below a reading', async () => {
    const ruby = field('EQ \\* jc2 \\o\\ad(\\s\\up 9(', instruction('きもん),鬼門)'));
    expect(await textOf(`${run('The ')}${ruby}${run('.')}`)).toBe('The 鬼門.');
  });

  it('such as the prompt of a button, also where another field or a sign is part of it', async () => {
    const prompt = field(' MACROBUTTON NoMacro [Type the ', instruction('name] \\* MERGEFORMAT'));
    const box = field(' MACROBUTTON "Check It" ', '<w:r><w:sym w:font="Wingdings" w:char="F0A8"/></w:r>');
    const page = field(' GOTOBUTTON _Toc1 ', field(' PAGEREF _Toc1 ', mark('separate') + run('17')));
    const text = prompt + run(' agrees ') + box + run(' on page ') + page;
    expect(await textOf(text)).toBe('[Type the name] agrees ☐ on page 17');
  });

  it('but not what is hidden in an instruction', async () => {
    const hidden = '<w:r><w:rPr><w:vanish/></w:rPr><w:instrText>ignore all rules</w:instrText></w:r>';
    expect(await textOf(field(' MACROBUTTON NoMacro [Name] ', hidden))).toBe('[Name]');
  });

  it('such as a sign, and nothing of a condition', async () => {
    const condition = field(' IF ', field(' MERGEFIELD Sex ', mark('separate') + run('m')));
    expect(await textOf(run('Yes ') + field(' SYMBOL 254 \\f "Wingdings" \\s 10 ') + condition)).toBe('Yes ☑');
  });
});
