import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { init, type Functions, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { limitMemory, type WasmMemory } from '../../threads/wasm-memory.ts';

/** Functions as WebAssembly exports them, on numbers and addresses alone. They cost a tenth of a wrapped call. */
type PdfiumExports = {
  readonly [Name in keyof Functions]: (...args: number[]) => number;
} & { malloc(size: number): number; free(address: number): void; readonly memory: WasmMemory };

/** PDFium and its memory. Get the views each time, since growth of the memory replaces them. */
export type Pdfium = Awaited<ReturnType<typeof startPdfium>>;

let loaded: Promise<Pdfium> | undefined;

/** PDFium of this thread, started on first use. */
export function loadPdfium(): Promise<Pdfium> {
  loaded ??= startPdfium();
  return loaded;
}

async function startPdfium() {
  const wasmBinary = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const wrapped: WrappedPdfiumModule = await init({
    wasmBinary: new Uint8Array(wasmBinary).buffer,
    // Errors are thrown as well; the messages before them add nothing.
    printErr: () => undefined,
  });
  const module = wrapped.pdfium;
  const call = module.wasmExports as unknown as PdfiumExports;
  const isOutOfMemory = limitMemory(call.memory);
  wrapped.PDFiumExt_Init();
  return {
    call,
    floats: () => module.HEAPF32,
    integers: () => module.HEAPU32,
    bytes: () => module.HEAPU8,
    /** Whether PDFium has reached the limit of memory: later results can be incomplete. */
    isOutOfMemory,
  };
}

/** Runs a function with `size` bytes of memory, and frees them afterwards. */
export function withMemory<Result>(pdfium: Pdfium, size: number, use: (address: number) => Result): Result {
  const address = pdfium.call.malloc(size);
  if (address === 0) throw new RangeError('PDFium is out of memory.');
  try {
    return use(address);
  } finally {
    pdfium.call.free(address);
  }
}

/**
 * Reads a UTF-16 string from a PDFium getter that fills a buffer and returns its size in bytes, with the terminator.
 */
export function readWideString(pdfium: Pdfium, fill: (buffer: number, size: number) => number): string {
  const size = fill(0, 0);
  if (size <= 2) return '';
  return withMemory(pdfium, size, (buffer) => {
    fill(buffer, size);
    return new TextDecoder('utf-16le').decode(pdfium.bytes().subarray(buffer, buffer + size - 2));
  });
}
