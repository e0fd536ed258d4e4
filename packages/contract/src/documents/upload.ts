import { z } from 'zod';
import { objectId } from '../base/fields.ts';
import { onAsk } from '../base/write-origin.ts';
import { document, documentName, metadata } from './documents.ts';

/** The most files of one upload. */
export const maxFiles = 100;

/** The password of a PDF. It is used once and not stored. */
export const filePassword = z.string().min(1).max(500);
export const unlockBody = z.object({ password: filePassword });

/** An upload as JSON. A multipart upload has the same fields beside `files`. */
export const uploadBody = z.object({
  documents: z
    .array(
      z.object({
        name: documentName,
        /** Base64. It is checked when it is decoded, because matching a pattern against megabytes of text is slow. */
        content: z.string().min(1),
        tag_ids: z.array(objectId).max(100).optional(),
        metadata: metadata.optional(),
        auto_create: z.boolean().optional(),
        /** What happens to a call of the proposal that needs approval. Default: the organization's `auto_create_on_ask`. */
        on_ask: onAsk.optional(),
        /** Default: true. With false, files inside of it are named in `unread` and are no documents. */
        include_attachments: z.boolean().optional(),
        /** For a PDF that needs one. The stored file needs none any more. */
        password: filePassword.optional(),
      }),
    )
    .min(1)
    .max(100, 'One upload takes at most 100 documents. Send the others in further requests.'),
});
export const uploadAnswer = z.object({ documents: z.array(document) });
