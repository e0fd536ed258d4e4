import { workerData } from 'node:worker_threads';

const wasmPageBytes = 64 * 1024;
const defaultMaxBytes = 1024 * 1024 * 1024;
/** A document that needs more memory in one thread is rejected. */
const maxMemoryBytes = (workerData as { wasmBytes?: number } | null)?.wasmBytes ?? defaultMaxBytes;

/** The part of `WebAssembly.Memory` that is used here. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/**
 * Limits the growth of a memory whose module declares no maximum. The returned function says whether growth was
 * refused.
 */
export function limitMemory(memory: WasmMemory): () => boolean {
  const grow = memory.grow.bind(memory);
  let isOutOfMemory = false;
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * wasmPageBytes > maxMemoryBytes) {
      isOutOfMemory = true;
      throw new RangeError('The document needs more memory than the limit for one document.');
    }
    return grow(pages);
  };
  return () => isOutOfMemory;
}
