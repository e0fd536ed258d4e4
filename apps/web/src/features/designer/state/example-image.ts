import type { SchemaChatMessage } from '@docwright/contract';

/** Images are scaled down to this length of their longer side: models do not use more pixels. */
const maxSide = 1600;
/** Characters of a data URL; well below the server's limit. */
const maxUrlLength = 3_000_000;
const jpegQuality = 0.85;
/** The server's limit of images in a request. */
export const maxImages = 8;

/** The size that an image of `width` × `height` pixels is scaled to. */
export function scaledSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, maxSide / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Converts an image file to a JPEG data URL, scaled down.
 *
 * @throws Error with a message for the user if the file is not a readable image or is too large.
 */
export async function readExampleImage(file: File): Promise<string> {
  if (!file.type.startsWith('image/')) throw new Error(`“${file.name}” is not an image. Use a PNG, JPEG or WebP file.`);
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(`“${file.name}” could not be read as an image. Use a PNG, JPEG or WebP file.`);
  });
  const { width, height } = scaledSize(bitmap.width, bitmap.height);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot draw the image.');
  // Without a background, transparent areas become black.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const url = canvas.toDataURL('image/jpeg', jpegQuality);
  if (url.length > maxUrlLength) throw new Error('The image is too large. Crop it.');
  return url;
}

/** Keeps only the newest images of a conversation; a text replaces the others. */
export function withNewestImages(history: SchemaChatMessage[], limit = maxImages): SchemaChatMessage[] {
  let remaining = limit;
  return history
    .toReversed()
    .map((message) => {
      const { content } = message;
      if (!Array.isArray(content)) return message;
      const parts = content.toReversed().map((part) => {
        if (part.type === 'text') return part;
        remaining -= 1;
        return remaining >= 0 ? part : { type: 'text' as const, text: '[An image that is no longer here]' };
      });
      return { ...message, content: parts.toReversed() };
    })
    .toReversed();
}
