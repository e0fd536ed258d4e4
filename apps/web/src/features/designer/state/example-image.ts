import type { SchemaChatMessage } from '@docwright/contract';

/** Longer sides are made shorter: beyond this, models see no more. */
const longestSide = 1600;
/** Characters of a data URL; well below what the server takes. */
const longestUrl = 3_000_000;
const jpegQuality = 0.85;
/** As many as the server takes in a request. */
export const maxImages = 8;

/** The size in which an image of `width` × `height` pixels is sent. */
export function sentSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, longestSide / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** An image file as a JPEG data URL of a size that models read; throws an `Error` for a person if it is none. */
export async function readExampleImage(file: File): Promise<string> {
  if (!file.type.startsWith('image/')) throw new Error(`“${file.name}” is not an image. Take a PNG, JPEG or WebP.`);
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(`“${file.name}” could not be read as an image. Take a PNG, JPEG or WebP.`);
  });
  const { width, height } = sentSize(bitmap.width, bitmap.height);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot draw the image.');
  // What is transparent would become black.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const url = canvas.toDataURL('image/jpeg', jpegQuality);
  if (url.length > longestUrl) throw new Error('The image is too large. Crop it.');
  return url;
}

/** A conversation with its newest images alone; words stand for the others. */
export function withNewestImages(history: SchemaChatMessage[], most = maxImages): SchemaChatMessage[] {
  let left = most;
  return history
    .toReversed()
    .map((message) => {
      const { content } = message;
      if (!Array.isArray(content)) return message;
      const parts = content.toReversed().map((part) => {
        if (part.type === 'text') return part;
        left -= 1;
        return left >= 0 ? part : { type: 'text' as const, text: '[An image that is no longer here]' };
      });
      return { ...message, content: parts.toReversed() };
    })
    .toReversed();
}
