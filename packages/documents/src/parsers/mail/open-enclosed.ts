import { detectType } from '../../detect/detect-type.ts';
import { textBlock } from '../../flow/block.ts';
import { extensionsOf } from '@docwright/contract';
import { flowDocument } from '../../flow/flow-document.ts';
import type { DocumentReader } from '../../reader/document-reader.ts';
import { mailDocument, openMail } from './open-mail.ts';
import { isMailPart, signedContent } from './signed-content.ts';
import { contentOfTnef } from './tnef-body.ts';

/** A file with a signature around it (`.p7m`): a signed mail as such, any other file as a document of its own. */
export const openSigned: DocumentReader = async (bytes, limits) => {
  const content = signedContent(bytes);
  if (content === undefined) throw new Error('The file has no content beside its signature.');
  const type = await detectType(content, '').catch(() => '');
  if (isMailPart(content) || type === 'message/rfc822') return await openMail(content, limits);
  const name = `signed.${extensionsOf(type)[0] ?? 'bin'}`;
  return { ...flowDocument([textBlock('Signed file:'), textBlock(`- ${name}`)]), files: [{ name, bytes: content }] };
};

/** The part `winmail.dat` of a mail that Outlook sent, on its own. */
export const openTnef: DocumentReader = (bytes) => {
  const { subject, files, ...body } = contentOfTnef(bytes);
  return Promise.resolve(mailDocument([['Subject', subject]], body, files));
};
