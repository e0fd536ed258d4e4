import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts short secrets for storage. */
export type SealedTexts = ReturnType<typeof createSealedTexts>;

const algorithm = 'aes-256-gcm';
const format = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * @param key 32 bytes, for this purpose alone.
 * @example
 * const texts = createSealedTexts(deriveKey(appSecret, 'second-factor'));
 * texts.open(texts.seal('a secret', 'user 1'), 'user 1'); // 'a secret'
 */
export function createSealedTexts(key: Buffer) {
  return {
    /** @param boundTo The owner of the text. It opens for no other, so a copied record is useless. */
    seal(text: string, boundTo: string) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(boundTo));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${format}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
    },
    /** Undefined if it was sealed for another owner or with another key. */
    open(sealed: string, boundTo: string) {
      const [version, text = ''] = sealed.split('.');
      const bytes = Buffer.from(text, 'base64url');
      if (version !== format || bytes.length <= nonceBytes + tagBytes) return undefined;
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
          .setAAD(Buffer.from(boundTo))
          .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString();
      } catch {
        // GCM reports a wrong key, binding or byte only by this error.
        return undefined;
      }
    },
  };
}
