import { expect, it } from 'vitest';
import { detectType } from '../detect/detect-type.ts';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { archive, docx, relationships, xlsx } from '../testing/office-file.ts';
import { readerOf } from './reader-of.ts';

async function lastLine(bytes: Uint8Array, name: string): Promise<string | undefined> {
  const [page] = (await (await readerOf(await detectType(bytes, name)))(bytes, defaultParseLimits)).pages;
  return page?.text.split('\n').at(-1);
}

const run = (text: string, look: string): string =>
  `<w:r><w:rPr><w:vertAlign w:val="${look}"/></w:rPr><w:t>${text}</w:t></w:r>`;
const drawn = (text: string, baseline: number): string =>
  `<a:r><a:rPr baseline="${baseline}"/><a:t>${text}</a:t></a:r>`;
const span = (text: string, style: string): string => `<text:span text:style-name="${style}">${text}</text:span>`;
const cellText = (text: string, look: string): string => `<r><rPr><vertAlign val="${look}"/></rPr><t>${text}</t></r>`;
const textStyle = (name: string, place: string): string =>
  `<style:style style:name="${name}"><style:text-properties style:text-position="${place}"/></style:style>`;

it.each<[name: string, file: Uint8Array]>([
  ['a.html', Buffer.from('<p>12<sup>99</sup> H<sub>2</sub>O 5<span style="vertical-align:sub">8</span></p>')],
  ['a.rtf', Buffer.from('{\\rtf1 12{\\super 99} H{\\sub 2}O 5\\dn6 8\\dn0\\par}')],
  [
    'a.docx',
    docx(
      `<w:p>${run('12', 'baseline')}${run('9', 'superscript')}${run('9', 'superscript')}${run(' H', '')}${run('2', 'subscript')}${run('O 5', '')}${run('8', 'subscript')}</w:p>`,
    ),
  ],
  [
    'a.xlsx',
    xlsx(
      { S: '<row r="1"><c r="A1" t="s"><v>0</v></c></row>' },
      {
        shared: `<si><r><t>12</t></r>${cellText('99', 'superscript')}<r><t> H</t></r>${cellText('2', 'subscript')}<r><t>O 5</t></r>${cellText('8', 'subscript')}</si>`,
      },
    ),
  ],
  [
    'a.pptx',
    archive({
      '[Content_Types].xml':
        '<Types><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>',
      '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
      'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relationships({ a: ['slide', 'slide1.xml'] }),
      'ppt/slide1.xml': `<p:sld><p:cSld><p:spTree><p:sp><p:spPr/><p:txBody><a:p>${drawn('12', 0)}${drawn('99', 30000)}${drawn(' H', 0)}${drawn('2', -25000)}${drawn('O 5', 0)}${drawn('8', -25000)}</a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
    }),
  ],
  [
    'a.odt',
    archive({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': `<office:document-content><office:automatic-styles>${textStyle('U', 'super 58%')}${textStyle('L', '-33% 58%')}</office:automatic-styles><office:body><office:text><text:p>12${span('99', 'U')} H${span('2', 'L')}O 5${span('8', 'L')}</text:p></office:text></office:body></office:document-content>`,
    }),
  ],
])('in %s, raised or lowered digits behind a digit are no digits of its number', async (name, file) => {
  expect(await lastLine(file, name)).toBe('12⁹⁹ H2O 5₈');
});

it('a hidden section of an OpenDocument text hides no paragraph beside it', async () => {
  const file = archive({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml':
      '<office:document-content><office:body><office:text><text:section text:display="none"><text:p>secret</text:p></text:section><text:p>shown</text:p></office:text></office:body></office:document-content>',
  });
  expect(await lastLine(file, 'a.odt')).toBe('shown');
});

it('the shapes of an OpenDocument slide are read in the order in which they stand on it', async () => {
  const box = (x: string, y: string, text: string): string =>
    `<draw:frame svg:x="${x}" svg:y="${y}" svg:width="3cm" svg:height="1cm"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
  const file = archive({
    mimetype: 'application/vnd.oasis.opendocument.presentation',
    'content.xml': `<office:document-content><office:body><office:presentation><draw:page>${box('1cm', '8cm', 'low')}<draw:g>${box('5cm', '40mm', 'right')}</draw:g>${box('1cm', '4cm', 'left')}${box('1cm', '0.2in', 'high')}</draw:page></office:presentation></office:body></office:document-content>`,
  });
  const [page] = (await (await readerOf(await detectType(file, 'a.odp')))(file, defaultParseLimits)).pages;
  expect(page?.text.split('\n').filter(Boolean)).toEqual(['high', 'left', 'right', 'low']);
});
