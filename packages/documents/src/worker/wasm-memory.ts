const WASM_PAGE_BYTES = 64 * 1024;
/** What a module may allocate in one thread before the document is given up. */
const MEMORY_BYTES = 1024 * 1024 * 1024;

/** The part of a WebAssembly memory that is used here. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The module declares no maximum, so growth is refused here; answers whether it has been. */
export function boundMemory(memory: WasmMemory): () => boolean {
  const grow = memory.grow.bind(memory);
  let isStarved = false;
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * WASM_PAGE_BYTES > MEMORY_BYTES) {
      isStarved = true;
      throw new RangeError('The document needs more memory than one document may take.');
    }
    return grow(pages);
  };
  return () => isStarved;
}
