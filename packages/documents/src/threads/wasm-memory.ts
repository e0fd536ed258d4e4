const WASM_PAGE_BYTES = 64 * 1024;
/** Limit of the memory that a module can allocate in one thread, in bytes, before the document is rejected. */
const MEMORY_BYTES = 1024 * 1024 * 1024;

/** The used part of a WebAssembly memory. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The module declares no maximum, so growth is limited here. The returned function tells whether it was refused. */
export function boundMemory(memory: WasmMemory): () => boolean {
  const grow = memory.grow.bind(memory);
  let isOutOfMemory = false;
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * WASM_PAGE_BYTES > MEMORY_BYTES) {
      isOutOfMemory = true;
      throw new RangeError('The document needs more memory than the limit for one document.');
    }
    return grow(pages);
  };
  return () => isOutOfMemory;
}
