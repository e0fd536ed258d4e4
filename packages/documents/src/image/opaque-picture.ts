/** Whether nothing is seen through a picture: a JPEG, or a PNG of grey or coloured pixels without a transparent colour. */
export function isOpaquePicture(bytes: Uint8Array | undefined): boolean {
  if (bytes === undefined) return false;
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return true;
  const isPng = bytes[0] === 0x89 && bytes[1] === 0x50;
  const hasTransparent = Buffer.from(bytes.subarray(0, 2_000)).includes('tRNS');
  return isPng && (bytes[25] === 0 || bytes[25] === 2) && !hasTransparent;
}
