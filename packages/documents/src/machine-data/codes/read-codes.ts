import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { MachineData, UnreadPart } from '@docwright/contract';
import { prepareZXingModule, readBarcodes, type ReadResult, type ReaderOptions } from 'zxing-wasm/reader';
import { scaleImage, type GrayImage } from '../../image/gray-image.ts';
import { hundredths, type Box } from '../../page/box.ts';
import { codeData } from './code-data.ts';

/** What the codes of a page say, and the codes that could not be read. */
export interface PageCodes {
  machineData: MachineData[];
  unread: UnreadPart[];
}

/** The place of a picture on its page: its top left corner in points, and its pixels per point. */
export interface PlacedImage {
  image: GrayImage;
  scale: number;
  x: number;
  y: number;
}

/** A4 at 240 dots per inch. The reader takes four bytes for a pixel. */
const maxPixels = 6_000_000;
/** A page of labels has fewer. */
const maxCodes = 50;

/** Codes that end in a check of what was read. Codabar and short interleaved codes have none, and lines of tables look like them. */
const options: ReaderOptions = {
  formats: [
    'QRCode',
    'MicroQRCode',
    'RMQRCode',
    'DataMatrix',
    'Aztec',
    'PDF417',
    'EAN13',
    'EAN8',
    'UPCA',
    'UPCE',
    'Code128',
    'Code39',
    'Code93',
    'ITF',
    'DataBar',
    'DataBarExp',
  ],
  maxNumberOfSymbols: maxCodes,
  returnErrors: true,
  tryInvert: false,
  textMode: 'Plain',
};

let prepared: Promise<void> | undefined;

/** The reader of this thread, started on first use from the package's own file. */
function prepare(): Promise<void> {
  prepared ??= (async () => {
    const file = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
    const overrides = { wasmBinary: new Uint8Array(file).buffer, printErr: () => undefined };
    await prepareZXingModule({ overrides, fireImmediately: true });
  })();
  return prepared;
}

/** Reads the QR codes and bar codes in a picture, from the top, with their places on the page. */
export async function readCodes({ image: picture, scale: pixelsPerPoint, x, y }: PlacedImage): Promise<PageCodes> {
  await prepare();
  const factor = Math.min(1, Math.sqrt(maxPixels / picture.pixels.length));
  const image = scaleImage(picture, factor);
  const scale = pixelsPerPoint * factor;
  const { width, height } = image;
  const read = await readBarcodes({ data: toColors(image), width, height, colorSpace: 'srgb' }, options);
  const boxOf = ({ position: { topLeft, topRight, bottomLeft, bottomRight } }: ReadResult): Box => {
    const corners = [topLeft, topRight, bottomLeft, bottomRight];
    const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
    return {
      x0: hundredths(x + Math.min(...xs) / scale),
      y0: hundredths(y + Math.min(...ys) / scale),
      x1: hundredths(x + Math.max(...xs) / scale),
      y1: hundredths(y + Math.max(...ys) / scale),
    };
  };
  const sorted = read
    .map((code) => ({ code, box: boxOf(code) }))
    .sort((one, other) => one.box.y0 - other.box.y0 || one.box.x0 - other.box.x0);
  const machineData = sorted.flatMap(({ code, box }): MachineData[] =>
    code.isValid ? [{ ...codeData(code), box }] : [],
  );
  const unread = sorted.flatMap(({ code, box }): UnreadPart[] =>
    isSeenForSure(code) ? [{ kind: 'picture', box, message: unreadCode }] : [],
  );
  return {
    machineData,
    unread: unread.filter(({ box }) => !machineData.some((other) => isSamePlace(box!, other.box!))),
  };
}

const unreadCode = 'A QR code was found and could not be read. Scan the page at a higher resolution and upload that.';

/** Other kinds are found in lines and letters that are no code. A QR code has marks in three corners, and says how it is written. */
function isSeenForSure({ isValid, format, error }: ReadResult): boolean {
  return !isValid && format === 'QRCode' && error.startsWith('ChecksumError');
}

function isSamePlace(one: Box, other: Box): boolean {
  return one.x0 < other.x1 && other.x0 < one.x1 && one.y0 < other.y1 && other.y0 < one.y1;
}

/** The reader takes colours: red, green, blue and an opaque alpha. */
function toColors({ pixels }: GrayImage): Uint8ClampedArray<ArrayBuffer> {
  const colors = new Uint32Array(pixels.length);
  for (let index = 0; index < pixels.length; index += 1) colors[index] = (pixels[index]! * 0x01_01_01) | 0xff_00_00_00;
  return new Uint8ClampedArray(colors.buffer);
}
