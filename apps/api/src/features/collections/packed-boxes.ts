import type { GroundingBox } from '@docwright/documents';

/** A side's greatest value: a page's width or height in steps finer than any that can be seen. */
const whole = 65_535;

/** Boxes of one page in 8 bytes each: x0, y0, x1, y1 in 16 bits, little end first. */
export function packBoxes(boxes: readonly GroundingBox[]): Uint8Array {
  const bytes = Buffer.alloc(boxes.length * 8);
  for (const [at, { x0, y0, x1, y1 }] of boxes.entries()) {
    for (const [side, value] of [x0, y0, x1, y1].entries()) {
      bytes.writeUInt16LE(Math.round(value * whole), at * 8 + side * 2);
    }
  }
  return bytes;
}

export function unpackBoxes(bytes: Uint8Array, page_num: number): GroundingBox[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const side = (at: number) => Math.round((view.getUint16(at, true) / whole) * 100_000) / 100_000;
  return Array.from({ length: Math.floor(bytes.byteLength / 8) }, (_, box) => {
    const at = box * 8;
    return { page_num, x0: side(at), y0: side(at + 2), x1: side(at + 4), y1: side(at + 6) };
  });
}
