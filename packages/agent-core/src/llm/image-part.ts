import { DomainError } from '@docwright/contract';
import type { LlmMessage } from './llm-client.ts';

/** The image types that models accept, with a check of the file's first bytes. */
const imageTypes: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/gif': (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)),
  'image/webp': (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
};

const maxImageBytes = 5 * 1024 * 1024;
/** Maximum number of images in one request. */
const maxImages = 8;

/** The size of an image in an estimate of tokens: a model does not read its base64 as text. */
const charactersPerImage = 4000;

/**
 * Checks the data URL of an image and returns it. Other URLs are refused, because a provider would fetch them on behalf of
 * an untrusted author. Throws a DomainError with code `image_refused`.
 */
export function checkedImage(url: string): string {
  const [head = '', type = ''] = /^data:([a-z]+\/[a-z.+-]+);base64,/.exec(url) ?? [];
  const data = url.slice(head.length);
  const hasSignature = Object.hasOwn(imageTypes, type) ? imageTypes[type] : undefined;
  if (hasSignature === undefined || !isBase64(data)) {
    throw imageRefused('An image is a data URL: data:image/png;base64,… or image/jpeg, image/webp, image/gif.');
  }
  if ((data.length * 3) / 4 > maxImageBytes) {
    throw imageRefused(`An image has at most ${maxImageBytes / 1024 / 1024} MB. Make it smaller.`);
  }
  if (!hasSignature(Buffer.from(data.slice(0, 64), 'base64'))) {
    throw imageRefused(`The image is not of type ${type}. Send it with its real type.`);
  }
  return url;
}

/** Looks for invalid characters: a pattern for the whole text overflows V8's stack at some megabytes. */
function isBase64(data: string): boolean {
  return data !== '' && !/[^A-Za-z0-9+/]/.test(data.replace(/={1,2}$/, ''));
}

/** Throws a DomainError with code `image_refused` if the messages have more images than a request can have. */
export function checkImageCount(messages: readonly LlmMessage[]): void {
  if (imagesOf(messages).length > maxImages) {
    throw imageRefused(`A request has at most ${maxImages} images. Leave out those that were answered before.`);
  }
}

/**
 * The length of a request for an estimate of its tokens, in UTF-16 units. Each image counts as 4,000.
 *
 * @param json the request as it is sent, with the images of the messages
 *
 * @example
 * import { countedCharacters, estimatedTokens, type LlmRequest } from '@docwright/agent-core';
 *
 * declare const request: LlmRequest;
 * const tokens = estimatedTokens(countedCharacters(request.messages, JSON.stringify(request)));
 */
export function countedCharacters(messages: readonly LlmMessage[], json: string): number {
  return imagesOf(messages).reduce((sum, url) => sum - url.length + charactersPerImage, json.length);
}

function imagesOf(messages: readonly LlmMessage[]): readonly string[] {
  return messages.flatMap((message) =>
    message.role === 'user' || message.role === 'tool' ? (message.images ?? []) : [],
  );
}

function imageRefused(message: string): DomainError {
  return new DomainError('invalid', 'image_refused', message);
}
