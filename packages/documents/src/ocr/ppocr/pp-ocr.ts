import path from 'node:path';
import type { Box } from '../../page/box.ts';
import { findLines } from '../../image/find-skew.ts';
import { scaleImage, type GrayImage, type Quarters } from '../../image/gray-image.ts';
import { languageOf } from '../engine/ocr-language.ts';
import type { ReadImage, ReadPicture } from '../engine/read-picture.ts';
import { confidenceOf } from '../engine/reading-score.ts';
import type { RecognizedWord } from '../engine/recognized-word.ts';
import { straighten, type Straightening } from '../../image/straighten.ts';
import { findLineBoxes } from './find-line-boxes.ts';
import { modelFiles, readAlphabet } from './model-folder.ts';
import { loadOnnxRuntime, openModel, type OnnxTensor } from './onnx-runtime.ts';
import { stepsOf, wordsOfLine } from './read-line.ts';

/** Pixels: the network's strides must fit. */
const STRIDE = 32;
/** Long side of the picture in which lines are looked for; more costs time and finds no more. */
const LONGEST_SIDE = 1600;
/** Height of a line as the reader wants it. */
const LINE_HEIGHT = 48;
const WIDEST_LINE = 3200;
const NARROWEST_LINE = 16;
/** With less confidence than this a page is probably upside down. */
const UPSIDE_DOWN = 0.7;
/** A line read with less confidence is a stain or a drawing. */
const LEAST_CONFIDENCE = 0.4;

export interface PpOcr {
  readPicture: ReadPicture;
  /** Reads one line of a straight picture. */
  readLine: (image: GrayImage, line: Box) => Promise<RecognizedWord[]>;
}

/** PP-OCR on ONNX Runtime, with the models of a folder. */
export async function openPpOcr(folder: string): Promise<PpOcr> {
  const runtime = loadOnnxRuntime(folder);
  const detect = await openModel(runtime, path.join(folder, modelFiles.detector));
  const read = await openModel(runtime, path.join(folder, modelFiles.reader));
  const characters = await readAlphabet(folder);

  /** Shades from -1 to 1, three times over: the models expect colours. */
  const tensorOf = (width: number, height: number, shadeAt: (x: number, y: number) => number): OnnxTensor => {
    const size = width * height;
    const data = new Float32Array(size * 3).fill(1);
    for (let y = 0, at = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1, at += 1) data[at] = shadeAt(x, y) / 127.5 - 1;
    }
    data.copyWithin(size, 0, size);
    data.copyWithin(size * 2, 0, size);
    return new runtime.Tensor('float32', data, [1, 3, height, width]);
  };

  const lineBoxes = async (image: GrayImage): Promise<Box[]> => {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(image.width, image.height));
    const small = scaleImage(image, scale);
    const [width, height] = [roundUp(small.width), roundUp(small.height)];
    const map = await detect(
      tensorOf(width, height, (x, y) =>
        x < small.width && y < small.height ? small.pixels[y * small.width + x]! : 255,
      ),
    );
    return findLineBoxes({ likelihood: map.data, width, height })
      .map(({ x0, y0, x1, y1 }) => ({
        x0: x0 / scale,
        y0: y0 / scale,
        x1: Math.min(image.width, x1 / scale),
        y1: Math.min(image.height, y1 / scale),
      }))
      .filter(({ x0, y0, x1, y1 }) => x1 - x0 > 2 && y1 - y0 > 2);
  };

  const readLine = async (image: GrayImage, line: Box): Promise<RecognizedWord[]> => {
    const cut = cutOut(image, line);
    const scaled = scaleImage(cut, LINE_HEIGHT / cut.height);
    const width = Math.max(NARROWEST_LINE, Math.min(WIDEST_LINE, scaled.width));
    const output = await read(
      tensorOf(
        width,
        LINE_HEIGHT,
        (x, y) => scaled.pixels[Math.min(y, scaled.height - 1) * scaled.width + Math.min(x, scaled.width - 1)]!,
      ),
    );
    const words = wordsOfLine(stepsOf(output.data, output.dims.at(-1)!), characters, line);
    return confidenceOf(words) < LEAST_CONFIDENCE ? [] : words;
  };

  const readStraight = async (image: GrayImage, how: Straightening): Promise<ReadImage> => {
    const straight = straighten(image, how);
    const words: RecognizedWord[] = [];
    for (const line of await lineBoxes(straight)) words.push(...(await readLine(straight, line)));
    return { words, straightening: how, image: straight, language: 'eng' };
  };

  const readPicture: ReadPicture = async (image, likely = 'eng') => {
    const { isSideways, skew } = findLines(image);
    const level: Straightening = { quarters: isSideways ? 1 : 0, skew, scale: 1 };
    let best = await readStraight(image, level);
    if (confidenceOf(best.words) < UPSIDE_DOWN) {
      const turned = await readStraight(image, { ...level, quarters: (level.quarters + 2) as Quarters });
      if (confidenceOf(turned.words) > confidenceOf(best.words)) best = turned;
    }
    return { ...best, language: languageOf(best.words) ?? likely };
  };
  return { readPicture, readLine };
}

function roundUp(length: number): number {
  return Math.max(STRIDE, Math.ceil(length / STRIDE) * STRIDE);
}

function cutOut({ pixels, width }: GrayImage, { x0, y0, x1, y1 }: Box): GrayImage {
  const [left, top] = [Math.floor(x0), Math.floor(y0)];
  const cut = { width: Math.max(1, Math.ceil(x1) - left), height: Math.max(1, Math.ceil(y1) - top) };
  const kept = new Uint8Array(cut.width * cut.height);
  for (let y = 0; y < cut.height; y += 1) {
    const from = (top + y) * width + left;
    kept.set(pixels.subarray(from, from + cut.width), y * cut.width);
  }
  return { ...cut, pixels: kept };
}
