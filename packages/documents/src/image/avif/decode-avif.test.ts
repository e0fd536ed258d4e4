import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import encode, { init } from '@jsquash/avif/encode.js';
import { expect, it } from 'vitest';
import { decodeAvif } from './decode-avif.ts';

const [width, height] = [64, 48];

it('gives the shades of a picture, with what is transparent on white', async () => {
  const encoder = await readFile(fileURLToPath(import.meta.resolve('@jsquash/avif/codec/enc/avif_enc.wasm')));
  await init({ wasmBinary: new Uint8Array(encoder).buffer });
  const data = new Uint8ClampedArray(width * height * 4);
  // Black at the left, and transparent at the right.
  for (let at = 0; at < width * height; at += 1) data[at * 4 + 3] = at % width < width / 2 ? 255 : 0;
  const file = new Uint8Array(await encode({ data, width, height, colorSpace: 'srgb' } as never, { speed: 10 }));
  const { pixels, ...size } = await decodeAvif(file);
  expect(size).toEqual({ width, height });
  expect([pixels[5], pixels[width - 5]]).toEqual([0, 255]);
  await expect(decodeAvif(file.subarray(0, file.length - 20))).rejects.toMatchObject({ code: 'damaged_page' });
});
