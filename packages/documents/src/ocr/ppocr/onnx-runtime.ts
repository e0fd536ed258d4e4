import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { callNative } from '../../threads/native-gate.ts';

/** A tensor of ONNX Runtime, which is installed beside the models and not with the product. */
export interface OnnxTensor {
  data: Float32Array;
  dims: readonly number[];
}

interface OnnxSession {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(feeds: Record<string, OnnxTensor>): Promise<Record<string, OnnxTensor>>;
}

interface OnnxRuntime {
  InferenceSession: { create(file: string, options: object): Promise<OnnxSession> };
  Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => OnnxTensor;
}

/** The manifest of `onnxruntime-node` in a models folder. The package contains its libraries; its install script is not run. */
export function runtimeFile(folder: string): string {
  return path.join(folder, 'node_modules', 'onnxruntime-node', 'package.json');
}

export function loadOnnxRuntime(folder: string): OnnxRuntime {
  const file = runtimeFile(folder);
  if (!existsSync(file)) throw new Error(`onnxruntime-node is not in ${folder}. Run: npx docwright ocr-models install`);
  return createRequire(file)('onnxruntime-node') as OnnxRuntime;
}

/** Opens a model that runs on one core, because the product reads several pages at once. */
export async function openModel(
  runtime: OnnxRuntime,
  file: string,
): Promise<(input: OnnxTensor) => Promise<OnnxTensor>> {
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1 };
  const session = await callNative(() => runtime.InferenceSession.create(file, options));
  return async (input) => {
    const output = await callNative(() => session.run({ [session.inputNames[0]!]: input }));
    return output[session.outputNames[0]!]!;
  };
}
