import type { OpenedDocument } from '../reader/document-reader.ts';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { openPptx } from '../parsers/slides/open-pptx.ts';
import { archive, relationships } from './office-file.ts';

export const text = (words: string, properties = ''): string =>
  `<p:txBody><a:p><a:r>${properties}<a:t>${words}</a:t></a:r></a:p></p:txBody>`;
/** Properties of a shape at a place. */
export const at = (x: number, y: number, more = ''): string =>
  `<p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="100" cy="20"/></a:xfrm>${more}</p:spPr>`;
export const shape = (place: string, words: string): string => `<p:sp>${place}${words}</p:sp>`;

/** Reads a presentation of one slide. */
export async function openSlide(
  slide: string,
  links: Readonly<Record<string, readonly [type: string, target: string]>> = {},
  parts: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<OpenedDocument & { lines: string[]; hidden: number }> {
  const opened = await openPptx(
    archive({
      '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst><p:sldSz cx="400" cy="300"/></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relationships({ a: ['slide', 'slide.xml'] }),
      'ppt/slide.xml': `<p:sld><p:cSld>${slide}</p:cSld></p:sld>`,
      'ppt/_rels/slide.xml.rels': relationships(links),
      ...parts,
    }),
    defaultParseLimits,
  );
  const pages = [...opened.pages];
  const lines = pages.flatMap((page) => page.text.split('\n')).filter(Boolean);
  return { ...opened, lines, hidden: pages.reduce((sum, page) => sum + (page.hidden_text ?? 0), 0) };
}

export const filled = (color: string, kind = 'srgbClr', more = ''): string =>
  `<a:solidFill><a:${kind} val="${color}">${more}</a:${kind}></a:solidFill>`;
export const look = (content: string): string => `<a:rPr>${content}</a:rPr>`;
