import path from 'node:path';
import { findLineOrientation } from '../../image/find-skew.ts';
import { cropImage, scaleImage, type GrayImage, type Quarters } from '../../image/gray-image.ts';
import { straighten, type Straightening } from '../../image/straighten.ts';
import type { Box } from '../../page/box.ts';
import { languageOf } from '../engine/ocr-language.ts';
import type { ReadImage, ReadPicture } from '../engine/read-picture.ts';
import { confidenceOf } from '../engine/reading-score.ts';
import type { RecognizedWord } from '../engine/recognized-word.ts';
import { findLineBoxes } from './find-line-boxes.ts';
import { modelFiles, readAlphabet } from './model-folder.ts';
import { loadOnnxRuntime, openModel, type OnnxTensor } from './onnx-runtime.ts';
import { stepsOf, wordsOfLine } from './read-line.ts';

/** The sides of the detector's picture are multiples of this number of pixels. */
const stride = 32;
/** Longer side of the detector's picture: a larger one takes longer and shows no more lines. */
const maxDetectorSide = 1600;
/** Size of a line for the reader, in pixels. */
const readerHeight = 48;
const maxReaderWidth = 3200;
const minReaderWidth = 16;
/** A page of less confidence is probably upside down. */
const minUprightConfidence = 0.7;
/** A line of less confidence is a stain or a drawing. */
const minLineConfidence = 0.4;

/**
 * The confidence that PP-OCR reports, and the share of words of that confidence that are right: its own numbers are far too high, and
 * Tesseract's are about right. Measured on pages of public documents, drawn at a low resolution.
 */
const shareRight: readonly (readonly [reported: number, right: number])[] = [
  [0, 0],
  [0.5, 0.1],
  [0.8, 0.25],
  [0.9, 0.35],
  [0.95, 0.6],
  [0.98, 0.8],
  [0.99, 0.9],
  [1, 0.98],
];

/** The probability that a word is right, from the confidence that PP-OCR reports. */
export function calibratedConfidence(reported: number): number {
  const above = shareRight.findIndex(([at]) => at >= reported);
  if (above <= 0) return shareRight.at(above)![1];
  const [[from, low], [to, high]] = [shareRight[above - 1]!, shareRight[above]!];
  return low + ((reported - from) / (to - from)) * (high - low);
}

function calibrated(words: readonly RecognizedWord[]): RecognizedWord[] {
  return words.map((word) => ({ ...word, confidence: calibratedConfidence(word.confidence) }));
}

/** The PP-OCR engine. Its confidences are calibrated. */
export interface PpOcr {
  readPicture: ReadPicture;
  /** Reads one line of a straight picture. */
  readLine: (image: GrayImage, line: Box) => Promise<RecognizedWord[]>;
}

/** Opens PP-OCR on ONNX Runtime, with the models of a folder. */
export async function openPpOcr(folder: string): Promise<PpOcr> {
  const runtime = loadOnnxRuntime(folder);
  const detect = await openModel(runtime, path.join(folder, modelFiles.detector));
  const read = await openModel(runtime, path.join(folder, modelFiles.reader));
  const characters = await readAlphabet(folder);

  /** The shades as numbers from -1 to 1, three times, because the models expect colours. */
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
    const scale = Math.min(1, maxDetectorSide / Math.max(image.width, image.height));
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
    const cropped = cropImage(image, line);
    const scaled = scaleImage(cropped, readerHeight / cropped.height);
    const width = Math.max(minReaderWidth, Math.min(maxReaderWidth, scaled.width));
    const output = await read(
      tensorOf(
        width,
        readerHeight,
        (x, y) => scaled.pixels[Math.min(y, scaled.height - 1) * scaled.width + Math.min(x, scaled.width - 1)]!,
      ),
    );
    const words = wordsOfLine(stepsOf(output.data, output.dims.at(-1)!), characters, line);
    return confidenceOf(words) < minLineConfidence ? [] : words;
  };

  const readStraight = async (image: GrayImage, how: Straightening): Promise<ReadImage> => {
    const straight = straighten(image, how);
    const words: RecognizedWord[] = [];
    for (const line of await lineBoxes(straight)) words.push(...(await readLine(straight, line)));
    return { words, straightening: how, image: straight, language: 'eng' };
  };

  const readPicture: ReadPicture = async (image, likely = 'eng') => {
    const { isSideways, skew } = findLineOrientation(image);
    const level: Straightening = { quarters: isSideways ? 1 : 0, skew, scale: 1 };
    let best = await readStraight(image, level);
    if (confidenceOf(best.words) < minUprightConfidence) {
      const turned = await readStraight(image, { ...level, quarters: (level.quarters + 2) as Quarters });
      if (confidenceOf(turned.words) > confidenceOf(best.words)) best = turned;
    }
    return { ...best, words: calibrated(best.words), language: languageOf(best.words) ?? likely };
  };
  return { readPicture, readLine: async (image, line) => calibrated(await readLine(image, line)) };
}

function roundUp(length: number): number {
  return Math.max(stride, Math.ceil(length / stride) * stride);
}
