import { expect, it } from 'vitest';
import type { DocumentReader } from '../reader/document-reader.ts';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { archive, docx, paragraph, relationships, wordNamespaces } from '../testing/office-file.ts';
import { openRtf } from './rtf/open-rtf.ts';
import { openPptx } from './slides/open-pptx.ts';
import { openDocx } from './word/open-docx.ts';
import { openXlsx } from './xlsx/open-xlsx.ts';

/** The text of the first page, and what counts as hidden on it. */
async function read(open: DocumentReader, bytes: Uint8Array): Promise<{ text: string; hidden: number | undefined }> {
  const [page] = [...(await open(bytes, defaultParseLimits)).pages];
  return { text: page!.text.trim(), hidden: page!.hidden_text };
}

const remark = 'Is this right?';
const hidden = remark.replaceAll(' ', '').length;
const drawn = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;

it('comments of Word, which a print of the text does not show, are hidden text, once however many relationships name them', async () => {
  const file = docx(paragraph('Fee 500'), {
    'word/_rels/document.xml.rels': relationships({ c: ['comments', 'comments.xml'], d: ['comments', 'Comments.xml'] }),
    'word/comments.xml': `<w:comments ${wordNamespaces}><w:comment w:id="0" w:author="Ada">${paragraph(remark)}</w:comment></w:comments>`,
  });
  expect(await read(openDocx, file)).toEqual({ text: 'Fee 500', hidden });
});

it('comments of a sheet that open on demand are hidden text, once however many relationships and sheets name them', async () => {
  const sheet = '<worksheet><sheetData><row><c r="A1"><v>500</v></c></row></sheetData></worksheet>';
  const links = relationships({ r1: ['comments', '../comments.xml'], r2: ['comments', '../Comments.xml'] });
  const file = archive({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="r1"/><sheet name="T" r:id="r2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relationships({
      r1: ['worksheet', 'worksheets/sheet.xml'],
      r2: ['worksheet', 'worksheets/other.xml'],
    }),
    'xl/worksheets/sheet.xml': sheet,
    'xl/worksheets/other.xml': sheet,
    'xl/worksheets/_rels/sheet.xml.rels': links,
    'xl/worksheets/_rels/other.xml.rels': links,
    'xl/comments.xml': `<comments><commentList><comment ref="A1"><text><r><t>${remark}</t></r></text></comment></commentList></comments>`,
  });
  const pages = [...(await openXlsx(file, defaultParseLimits)).pages];
  expect(pages.map(({ text, hidden_text }) => [text, hidden_text ?? 0])).toEqual([
    ['S\n\n500', hidden],
    ['T\n\n500', 0],
  ]);
});

it.each([
  ['of before 2021', 'comments', `<p:cmLst><p:cm><p:text>${remark}</p:text></p:cm></p:cmLst>`],
  ['of today', 'comments', `<p188:cmLst><p188:cm><p188:txBody>${drawn(remark)}</p188:txBody></p188:cm></p188:cmLst>`],
])(
  'comments of a slide %s are hidden text, once however many relationships and slides name them',
  async (_name, type, comments) => {
    const shape = `<p:sp><p:nvSpPr><p:cNvPr id="1"/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody>${drawn('Fee 500')}</p:txBody></p:sp>`;
    const part = '../comments/comment1.xml';
    const links = relationships({
      c: [type, part],
      d: [type, part],
      n: ['notesSlide', '../n.xml'],
      o: ['notesSlide', '../n.xml'],
    });
    const file = archive({
      '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId r:id="a"/><p:sldId r:id="b"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relationships({
        a: ['slide', 'slides/slide1.xml'],
        b: ['slide', 'slides/slide2.xml'],
      }),
      'ppt/slides/slide1.xml': `<p:sld><p:cSld><p:spTree>${shape}</p:spTree></p:cSld></p:sld>`,
      'ppt/slides/slide2.xml': '<p:sld/>',
      'ppt/slides/_rels/slide1.xml.rels': links,
      'ppt/slides/_rels/slide2.xml.rels': links,
      'ppt/comments/comment1.xml': comments,
      'ppt/n.xml': `<p:notes><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr><p:txBody>${drawn('Ask')}</p:txBody></p:sp></p:spTree></p:cSld></p:notes>`,
    });
    expect(await read(openPptx, file)).toEqual({ text: 'Fee 500\n\nNotes:\nAsk', hidden });
  },
);

it('comments of RTF are hidden text', async () => {
  const comment = String.raw`{\*\atnid AL}{\*\atnauthor Ada}\chatn{\*\annotation{\*\atndate 1}\pard\plain ${remark}\par}`;
  const file = Buffer.from(String.raw`{\rtf1\ansi Fee ${comment}500\par}`);
  expect(await read(openRtf, file)).toEqual({ text: 'Fee 500', hidden });
});

it('a note of Word that refers to itself is read once', async () => {
  const file = docx('<w:p><w:r><w:t>Fee</w:t><w:footnoteReference w:id="2"/></w:r></w:p>', {
    'word/footnotes.xml': `<w:footnotes ${wordNamespaces}><w:footnote w:id="2"><w:p><w:r><w:t>net</w:t><w:footnoteReference w:id="2"/></w:r></w:p></w:footnote></w:footnotes>`,
  });
  expect((await read(openDocx, file)).text.match(/net/gu)).toHaveLength(1);
});
