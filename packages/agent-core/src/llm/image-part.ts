import { DomainError } from '@docwright/contract';
import type { LlmMessage } from './llm-client.ts';

/** What models that see take, by the first bytes that such a file has. */
const imageTypes: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/gif': (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)),
  'image/webp': (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
};

/** Of one image, in bytes, and of one request. */
const largestImage = 5 * 1024 * 1024;
const maxImages = 8;

/** What an image counts for where a provider counts no tokens: its base64 is not text that a model reads. */
const charactersPerImage = 4000;

/**
 * The address of an image as it may go to a model: the data itself, of a type that models take. An address on the web is
 * refused, since a provider would fetch it for whoever wrote it. Throws `image_refused`.
 */
export function checkedImage(url: string): string {
  const [head = '', type = ''] = /^data:([a-z]+\/[a-z.+-]+);base64,/.exec(url) ?? [];
  const data = url.slice(head.length);
  const looksLike = Object.hasOwn(imageTypes, type) ? imageTypes[type] : undefined;
  if (looksLike === undefined || !isBase64(data)) {
    throw refused('An image is a data URL: data:image/png;base64,… or image/jpeg, image/webp, image/gif.');
  }
  if ((data.length * 3) / 4 > largestImage) {
    throw refused(`An image has at most ${largestImage / 1024 / 1024} MB. Make it smaller.`);
  }
  if (!looksLike(Buffer.from(data.slice(0, 64), 'base64'))) {
    throw refused(`What is said to be ${type} is something else. Send the image as the type that it is.`);
  }
  return url;
}

/** Looks for what must not be there: a pattern of all that may be overflows the stack of V8 at some megabytes. */
function isBase64(data: string): boolean {
  return data !== '' && !/[^A-Za-z0-9+/]/.test(data.replace(/={1,2}$/, ''));
}

/** Throws `image_refused` where the messages of one request hold more images than a request may. */
export function checkImageCount(messages: readonly LlmMessage[]): void {
  if (imagesOf(messages).length > maxImages) {
    throw refused(`A request has at most ${maxImages} images. Leave out those that were answered before.`);
  }
}

/** How long a request is for an estimate of its tokens, of the messages as JSON. */
export function countedCharacters(messages: readonly LlmMessage[], json: string): number {
  return imagesOf(messages).reduce((sum, url) => sum - url.length + charactersPerImage, json.length);
}

function imagesOf(messages: readonly LlmMessage[]): readonly string[] {
  return messages.flatMap((message) =>
    message.role === 'user' || message.role === 'tool' ? (message.images ?? []) : [],
  );
}

function refused(message: string): DomainError {
  return new DomainError('invalid', 'image_refused', message);
}
