import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import startTesseract, {
  type TesseractApi,
  type TesseractModule,
} from 'tesseract.js-core/tesseract-core-relaxedsimd-lstm.js';
import type { GrayImage } from '../../image/gray-image.ts';
import { limitMemory } from '../../threads/wasm-memory.ts';
import type { OcrLanguage } from '../engine/ocr-language.ts';
import type { RecognizedWord } from '../engine/recognized-word.ts';

/** Segmentation mode: a page of blocks and columns, or one block of lines. */
export type Segmentation = 'page' | 'block';

/** Tesseract of this thread, and its memory. */
export type Tesseract = Awaited<ReturnType<typeof start>>;

const lstmOnly = 1;
const segmentationModes: Readonly<Record<Segmentation, string>> = { page: '3', block: '6' };
/** Pictures are scaled to about this resolution first. */
const dotsPerInch = 300;
/** The level of words in Tesseract's table. */
const wordLevel = '5';

let started: Promise<Tesseract> | undefined;

/** Tesseract of this thread, started on first use. The engine and its data are in packages; nothing is downloaded. */
export function loadTesseract(): Promise<Tesseract> {
  started ??= start();
  return started;
}

async function start() {
  const wasm = await readFile(
    fileURLToPath(import.meta.resolve('tesseract.js-core/tesseract-core-relaxedsimd-lstm.wasm')),
  );
  let memory: WebAssembly.Memory | undefined;
  const module = await startTesseract({
    // Its messages about small pictures and missing resolutions are of no use.
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm: (imports, receive) => {
      void instantiate(wasm, imports, receive).then((found) => (memory = found));
      return {};
    },
  });
  const bytes = (): Uint8Array<ArrayBuffer> => new Uint8Array(memory!.buffer);
  const apis = new Map<OcrLanguage, TesseractApi>();
  return {
    module,
    /** A view of the memory. Get it each time, since growth replaces it. */
    bytes,
    /** Reads a picture. Any error other than out of memory is caused by the picture. */
    async recognize(image: GrayImage, segmentation: Segmentation, language: OcrLanguage) {
      const api = apis.get(language) ?? (await openLanguage(module, language));
      apis.set(language, api);
      return readWords(module, bytes, api, image, segmentation);
    },
  };
}

/** The module does not export its memory; this is the way to get it. */
async function instantiate(
  wasm: Uint8Array,
  imports: object,
  receive: (instance: WebAssembly.Instance, module: object) => void,
): Promise<WebAssembly.Memory | undefined> {
  const { instance, module } = await WebAssembly.instantiate(wasm, imports);
  const memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
  if (memory) limitMemory(memory);
  receive(instance, module);
  return memory;
}

async function openLanguage(module: TesseractModule, language: OcrLanguage): Promise<TesseractApi> {
  const file = import.meta.resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`);
  const data = await promisify(gunzip)(await readFile(fileURLToPath(file)));
  module.FS.writeFile(`./${language}.traineddata`, data);
  const api = new module.TessBaseAPI();
  if (api.Init(null, language, lstmOnly) !== 0) throw new Error(`Tesseract cannot load its data for ${language}.`);
  return api;
}

function readWords(
  module: TesseractModule,
  bytes: () => Uint8Array<ArrayBuffer>,
  api: TesseractApi,
  { pixels, width, height }: GrayImage,
  segmentation: Segmentation,
): RecognizedWord[] {
  const address = module._malloc(pixels.length);
  if (address === 0) throw new RangeError('Tesseract is out of memory.');
  try {
    bytes().set(pixels, address);
    api.SetVariable('tessedit_pageseg_mode', segmentationModes[segmentation]);
    api.SetImage(address, width, height, 1, width);
    api.SetSourceResolution(dotsPerInch);
    // An empty picture is a result, not an error.
    if (api.Recognize(null) !== 0) return [];
    return (api.GetTSVText(0) ?? '').split('\n').flatMap(wordOf);
  } finally {
    api.Clear();
    module._free(address);
  }
}

/** One line of Tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
function wordOf(row: string): RecognizedWord[] {
  const [level, , , , , , left, top, width, height, confidence, ...rest] = row.split('\t');
  const text = rest.join(' ').trim();
  if (level !== wordLevel || text === '') return [];
  const [x0, y0] = [Number(left), Number(top)];
  return [
    {
      text,
      x0,
      y0,
      x1: x0 + Number(width),
      y1: y0 + Number(height),
      confidence: Math.max(0, Number(confidence) / 100),
      engine: 'tesseract',
    },
  ];
}
