import { createHmac } from 'node:crypto';

/**
 * Whether a document is drawn for the audit of a prompt: a keyed digest of both is below `share`. Without the key nobody can
 * predict or steer the answer, and it is always the same; a larger share keeps all that a smaller one draws.
 *
 * @param share 0 to 1
 * @example
 * ```ts
 * import { isDrawn } from '@docwright/release';
 *
 * isDrawn({ key: 'secret', promptId: '64b1', documentId: '64b2', share: 1 }); // true
 * ```
 */
export function isDrawn(of: { key: string; promptId: string; documentId: string; share: number }): boolean {
  const digest = createHmac('sha256', of.key).update(`${of.promptId} ${of.documentId}`.toLowerCase()).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48 < of.share;
}
