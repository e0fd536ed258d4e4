import { textOfBlocks } from '../../flow/block-lines.ts';
import type { ContainedFile } from '../../reader/document-reader.ts';
import { decodeHtml } from '../html/decode-html.ts';
import { readHtml } from '../html/read-html.ts';
import { plainBlocks, type MailBody } from './mail-body.ts';
import { richBody } from './rich-body.ts';
import { readTnef } from './tnef.ts';

/** What a file `winmail.dat` holds: the subject, the text as a person would see it, and the files. */
export interface TnefContent extends Omit<MailBody, 'used'> {
  subject: string | undefined;
  files: ContainedFile[];
}

export function contentOfTnef(bytes: Uint8Array): TnefContent {
  const { subject, plain, html, compressedRtf, files } = readTnef(bytes);
  const used = new Set<unknown>();
  const page = html && readHtml(decodeHtml(html), pictureOf);
  const rich = page === undefined ? richBody(compressedRtf, pictureOf) : undefined;
  const shown = [page, rich].find((each) => each !== undefined && textOfBlocks(each.blocks).trim() !== '');
  const { blocks, hiddenText, unread } = shown ?? { blocks: plainBlocks(plain), hiddenText: 0, unread: [] };
  const rest = files.filter((file) => !used.has(file)).map(({ name, bytes: content }) => ({ name, bytes: content }));
  return { subject, blocks, hiddenText, unread, files: rest };

  function pictureOf(address: string): Uint8Array | undefined {
    const [, id] = /^cid:(.*)$/iu.exec(address) ?? [];
    const found = files.find((file) => id !== undefined && file.id === id);
    if (found) used.add(found);
    return found?.bytes;
  }
}
