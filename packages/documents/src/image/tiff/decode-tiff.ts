import { inflateSync, zstdDecompressSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { decode, type TiffIfd } from 'tiff';
import xz from 'xz-decompress';
import { ParseFailure } from '../../reader/parse-failure.ts';
import { brightness, type GrayImage } from '../gray-image.ts';

/** Codecs by the numbers of the TIFF format. */
const codecs = { jpeg: 7, deflate: 8, oldDeflate: 32_946, lzma: 34_925, zstd: 50_000 } as const;
/** The same limit as for other pictures: decoded, a colour picture of this size takes a quarter of a gigabyte. */
const maxPixels = 64_000_000;
const jpegTables = 347;
/** The first letter of files whose numbers begin with their lowest byte. */
const littleEndian = 0x49;
const horizontalPredictor = 2;
const separatePlanes = 2;
const photometric = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3 } as const;
/** Ends the tables; starts and ends a JPEG picture. */
const jpegMarkerBytes = 2;

/** A part of the picture: strips are as wide as the picture, tiles can reach beyond it. */
interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
  bytes: Uint8Array;
}

/**
 * Decodes a picture of a TIFF file whose codec Leptonica does not have: JPEG, Deflate, LZMA or ZSTD. `index` counts from 0.
 * Undefined for other codecs. Throws `ParseFailure` if the picture is too large or kept in a way that is not read.
 */
export async function decodeTiff(file: Uint8Array, index: number): Promise<GrayImage | undefined> {
  const directory = decode(file, { ignoreImageData: true, pages: [index] })[0];
  if (!directory || !Object.values<number>(codecs).includes(directory.compression)) return undefined;
  const { width, height } = directory;
  if (width * height > maxPixels) throw tooLarge();
  if (directory.planarConfiguration === separatePlanes && directory.samplesPerPixel > 1) throw unreadable();
  const image: GrayImage = { pixels: new Uint8Array(width * height).fill(255), width, height };
  for (const part of partsOf(directory, file)) {
    if (part.width * part.height > maxPixels) throw tooLarge();
    const shades =
      directory.compression === codecs.jpeg
        ? jpegShades(directory, part)
        : await rowShades(directory, part, file[0] === littleEndian);
    place(image, part, shades);
  }
  return image;
}

function* partsOf(directory: TiffIfd, file: Uint8Array): Generator<Part> {
  const { width, height, tiled } = directory;
  const partWidth = tiled ? directory.tileWidth! : width;
  const partHeight = tiled ? directory.tileHeight! : Math.min(height, directory.rowsPerStrip);
  if (!(partWidth > 0 && partHeight > 0)) throw unreadable();
  const offsets = tiled ? directory.tileOffsets : directory.stripOffsets;
  const counts = tiled ? directory.tileByteCounts : directory.stripByteCounts;
  const across = Math.ceil(width / partWidth);
  for (let part = 0; part < across * Math.ceil(height / partHeight); part += 1) {
    const [offset, count] = [offsets[part], counts[part]];
    if (offset === undefined || count === undefined || offset + count > file.length) throw unreadable();
    const y = Math.floor(part / across) * partHeight;
    yield {
      x: (part % across) * partWidth,
      y,
      width: partWidth,
      height: tiled ? partHeight : Math.min(partHeight, height - y),
      bytes: file.subarray(offset, offset + count),
    };
  }
}

function place(image: GrayImage, { x, y, width, height }: Part, shades: Uint8Array): void {
  const columns = Math.min(width, image.width - x);
  for (let row = 0; row < Math.min(height, image.height - y); row += 1) {
    image.pixels.set(shades.subarray(row * width, row * width + columns), (y + row) * image.width + x);
  }
}

/** A part is a JPEG picture, whose tables can be shared by all parts. */
function jpegShades(directory: TiffIfd, part: Part): Uint8Array {
  const shared: unknown = directory.fields.get(jpegTables);
  const tables = Uint8Array.from(Array.isArray(shared) || shared instanceof Uint8Array ? (shared as number[]) : []);
  const bytes =
    tables.length > jpegMarkerBytes * 2
      ? Buffer.concat([tables.subarray(0, -jpegMarkerBytes), part.bytes.subarray(jpegMarkerBytes)])
      : part.bytes;
  const { data, width, height } = jpeg.decode(bytes, {
    useTArray: true,
    ...(directory.type === photometric.rgb ? { colorTransform: false } : {}),
    maxResolutionInMP: maxPixels / 1_000_000,
  });
  const shades = new Uint8Array(part.width * part.height).fill(255);
  for (let y = 0; y < Math.min(height, part.height); y += 1) {
    for (let x = 0; x < Math.min(width, part.width); x += 1) {
      const at = (y * width + x) * 4;
      const shade = brightness(data[at]!, data[at + 1]!, data[at + 2]!);
      shades[y * part.width + x] = directory.type === photometric.whiteIsZero ? 255 - shade : shade;
    }
  }
  return shades;
}

/** A part is rows of samples. */
async function rowShades(directory: TiffIfd, part: Part, isLittle: boolean): Promise<Uint8Array> {
  const { samplesPerPixel, bitsPerSample: bits, type, predictor } = directory;
  if (![1, 2, 4, 8, 16].includes(bits) || (bits < 8 && samplesPerPixel > 1)) throw unreadable();
  const rowBytes = Math.ceil((part.width * samplesPerPixel * bits) / 8);
  const data = await unpack(directory.compression, part.bytes, rowBytes * part.height);
  if (predictor === horizontalPredictor && bits === 8) addUp(data, rowBytes, samplesPerPixel);
  else if (predictor !== 1 && predictor !== undefined) throw unreadable();
  const largest = 2 ** Math.min(8, bits) - 1;
  const palette = directory.palette?.map(([red, green, blue]) => brightness(red >> 8, green >> 8, blue >> 8));
  const sampleAt = (row: number, sample: number): number => {
    const start = row * rowBytes;
    if (bits === 16) return data[start + sample * 2 + (isLittle ? 1 : 0)]!;
    if (bits === 8) return data[start + sample]!;
    const bit = sample * bits;
    return (data[start + (bit >> 3)]! >> (8 - bits - (bit & 7))) & largest;
  };
  const shades = new Uint8Array(part.width * part.height);
  for (let y = 0, to = 0; y < part.height; y += 1) {
    for (let x = 0; x < part.width; x += 1, to += 1) {
      const sample = x * samplesPerPixel;
      const value = sampleAt(y, sample);
      if (type === photometric.rgb) {
        shades[to] = brightness(value, sampleAt(y, sample + 1), sampleAt(y, sample + 2));
      } else if (type === photometric.palette) {
        shades[to] = palette?.[value] ?? 255;
      } else {
        const shade = (value * 255) / largest;
        shades[to] = type === photometric.whiteIsZero ? 255 - shade : shade;
      }
    }
  }
  return shades;
}

/** Unpacks at most `length` bytes: a part that unpacks to more is damaged or hostile. */
async function unpack(compression: number, bytes: Uint8Array, length: number): Promise<Uint8Array> {
  const unpacked = new Uint8Array(length);
  if (compression === codecs.lzma) {
    const reader = new xz.XzReadableStream(new Blob([Uint8Array.from(bytes)]).stream()).getReader();
    for (let at = 0; at < length;) {
      const { done, value } = await reader.read();
      if (done) break;
      unpacked.set(value.subarray(0, length - at), at);
      at += value.length;
    }
    await reader.cancel();
    return unpacked;
  }
  const limit = { maxOutputLength: length + 65_536 };
  const found = compression === codecs.zstd ? zstdDecompressSync(bytes, limit) : inflateSync(bytes, limit);
  unpacked.set(found.subarray(0, length));
  return unpacked;
}

/** Each sample is stored as its difference to the one of the pixel before. */
function addUp(data: Uint8Array, rowBytes: number, samples: number): void {
  for (let start = 0; start < data.length; start += rowBytes) {
    for (let at = start + samples; at < start + rowBytes; at += 1) data[at] = data[at]! + data[at - samples]!;
  }
}

function tooLarge(): ParseFailure {
  const message = `The picture has more than ${maxPixels / 1_000_000} million pixels. Save it smaller and upload that.`;
  return new ParseFailure('image_too_large', message);
}

function unreadable(): ParseFailure {
  const message =
    'The picture of this page is damaged, or stored in a way that is not read. Save it as PNG and upload that.';
  return new ParseFailure('damaged_page', message);
}
