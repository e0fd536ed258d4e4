/** The part of WebAssembly that is used here. Otherwise its types come only with those of browsers. */
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>;
  }
  function instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: Instance; module: object }>;
}

/** The part of Tesseract's WebAssembly build that is used here; its package has no types. */
declare module 'tesseract.js-core/tesseract-core-relaxedsimd-lstm.js' {
  export interface TesseractApi {
    /** Returns 0 on success. */
    Init(path: null, languages: string, engine: number): number;
    SetVariable(name: string, value: string): boolean;
    SetImage(address: number, width: number, height: number, bytesPerPixel: number, bytesPerLine: number): void;
    SetSourceResolution(dotsPerInch: number): void;
    Recognize(monitor: null): number;
    GetTSVText(page: number): string | null;
    Clear(): void;
    End(): void;
  }

  export interface TesseractModule {
    FS: { writeFile(path: string, data: Uint8Array): void };
    TessBaseAPI: new () => TesseractApi;
    _malloc(size: number): number;
    _free(address: number): void;
    /** Leptonica's decoder. Returns 0 for bytes that are not a picture that it supports. */
    _pixReadMem(address: number, size: number): number;
    /** Takes the address of the picture's address. */
    _pixDestroy(address: number): void;
  }

  export interface TesseractOptions {
    print: (line: string) => void;
    printErr: (line: string) => void;
    instantiateWasm: (
      imports: object,
      receive: (instance: WebAssembly.Instance, module: object) => void,
    ) => Record<string, never>;
  }

  const start: (options: TesseractOptions) => Promise<TesseractModule>;
  export default start;
}
