import type { GroundingBox } from '@docwright/documents';
import mongoose, { type mongo } from 'mongoose';

/** A side's greatest value: a page's width or height in steps finer than any that can be seen. */
const whole = 65_535;

/** Boxes of one page in 8 bytes each: x0, y0, x1, y1 in 16 bits, little end first. */
export function packBoxes(boxes: readonly GroundingBox[]): mongo.Binary {
  const bytes = Buffer.alloc(boxes.length * 8);
  for (const [at, { x0, y0, x1, y1 }] of boxes.entries()) {
    for (const [side, value] of [x0, y0, x1, y1].entries()) {
      bytes.writeUInt16LE(Math.round(value * whole), at * 8 + side * 2);
    }
  }
  return new mongoose.mongo.Binary(bytes);
}

export function unpackBoxes({ buffer }: mongo.Binary, page_num: number): GroundingBox[] {
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  const side = (at: number) => Math.round((view.getUint16(at, true) / whole) * 100_000) / 100_000;
  return Array.from({ length: Math.floor(buffer.byteLength / 8) }, (_, box) => {
    const at = box * 8;
    return { page_num, x0: side(at), y0: side(at + 2), x1: side(at + 4), y1: side(at + 6) };
  });
}
