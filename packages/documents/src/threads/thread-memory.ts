/**
 * Whether this thread uses less memory than `maxBytes`. A thread that uses more is replaced, because WebAssembly never
 * shrinks its memory.
 */
export function isMemoryBelow(maxBytes: number): boolean {
  // `external` includes array buffers and the memory of WebAssembly.
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external < maxBytes;
}
