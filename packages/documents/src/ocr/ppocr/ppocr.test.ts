import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findLineBoxes } from './find-line-boxes.ts';
import { hasModels, readAlphabet } from './model-folder.ts';
import { stepsOf, wordsOfLine } from './read-line.ts';

const alphabet = ['a', 'b', 'c'];

/** Steps for a text: a letter, a repetition of it, a blank. */
function stepsFor(letters: readonly number[]): { character: number; likelihood: number }[] {
  return letters.map((character) => ({ character, likelihood: character === 0 ? 1 : 0.9 }));
}

it('returns a box for each region of text, grown to the whole line, and none for faint ones', () => {
  const [width, height] = [40, 30];
  const likelihood = new Float32Array(width * height);
  const fill = (x0: number, y0: number, x1: number, y1: number, value: number): void => {
    for (let y = y0; y < y1; y += 1) likelihood.fill(value, y * width + x0, y * width + x1);
  };
  fill(5, 5, 25, 10, 0.9);
  fill(5, 20, 25, 25, 0.4);
  fill(35, 1, 36, 2, 0.9);
  const [box, ...others] = findLineBoxes({ likelihood, width, height });
  expect(others).toEqual([]);
  expect(Object.values(box!).map((side) => Math.round(side * 10) / 10)).toEqual([1.8, 1.8, 28.2, 13.2]);
});

it('reads a letter once for successive steps, and twice if a blank is between them', () => {
  const steps = stepsFor([1, 1, 0, 2, 0, 2, 0]);
  const [word, ...others] = wordsOfLine(steps, alphabet, { x0: 100, y0: 10, x1: 170, y1: 30 });
  expect(others).toEqual([]);
  expect(word).toMatchObject({ text: 'abb', y0: 10, y1: 30, confidence: 0.9 });
  expect(word!.x0).toBeGreaterThanOrEqual(100);
  expect(word!.x1).toBeLessThanOrEqual(170);
});

it('splits words at spaces and at wide gaps, with boxes that do not overlap', () => {
  const space = alphabet.length + 1;
  const steps = stepsFor([1, 0, 2, 0, space, 0, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 3]);
  const words = wordsOfLine(steps, alphabet, { x0: 0, y0: 0, x1: 190, y1: 20 });
  expect(words.map(({ text }) => text)).toEqual(['ab', 'ca', 'bc']);
  for (const [index, word] of words.entries()) expect(word.x0).toBeGreaterThanOrEqual(words[index - 1]?.x1 ?? 0);
});

it('takes the likeliest class of each step', () => {
  expect(stepsOf(Float32Array.from([0.1, 0.9, 0.6, 0.4]), 2)).toEqual([
    { character: 1, likelihood: Math.fround(0.9) },
    { character: 0, likelihood: Math.fround(0.6) },
  ]);
});

it('finds the characters in the metadata of a model, or in a list beside it', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docwright-pp-'));
  try {
    const text = (field: number, value: string): Buffer =>
      Buffer.concat([Buffer.from([field * 8 + 2, value.length]), Buffer.from(value)]);
    const entry = Buffer.concat([text(1, 'character'), text(2, 'x\ny\nz')]);
    // Version 8, a graph of three bytes, the metadata.
    const model = Buffer.concat([Buffer.from([8, 8, 58, 3, 1, 2, 3]), Buffer.from([114, entry.length]), entry]);
    writeFileSync(path.join(folder, 'rec.onnx'), model);
    expect(await readAlphabet(folder)).toEqual(['x', 'y', 'z']);
    writeFileSync(path.join(folder, 'characters.txt'), 'p\nq\n');
    expect(await readAlphabet(folder)).toEqual(['p', 'q']);
    expect(hasModels(folder)).toBe(false);
    writeFileSync(path.join(folder, 'det.onnx'), '');
    mkdirSync(path.join(folder, 'node_modules/onnxruntime-node'), { recursive: true });
    writeFileSync(path.join(folder, 'node_modules/onnxruntime-node/package.json'), '{}');
    expect(hasModels(folder)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
