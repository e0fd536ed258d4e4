import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { root } from './toolchain.mjs';

/**
 * Bundles the server, its database and its worker threads into the folder given as the argument: a few files of JavaScript.
 * A process then loads ten files instead of 2,400, and needs no TypeScript loader.
 */

const [folder] = process.argv.slice(2);
const entries = { server: 'apps/api/src/server.ts' };

/** Packages that are not bundled: they have native code, files or threads of their own, or are optional and not installed. */
const external =
  /^(?:@node-rs\/argon2|tesseract\.js(?:-core)?|@fastify\/swagger-ui|pino|pino-pretty|thread-stream|eld|mongodb-client-encryption|kerberos|snappy|@mongodb-js\/zstd|gcp-metadata|@aws-sdk\/[^/]+|socks|aws4|bufferutil|utf-8-validate)(?:\/|$)/u;

/** A source file that is started as a process or thread: `new URL('./parse-worker.ts', import.meta.url)`. */
const workerFile = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/gu;

/** Resolves packages whose names are known only at run time. It is appended, so that the lines above keep their numbers. */
const resolveFrom = `
import { createRequire as requireFrom } from 'node:module';
import { pathToFileURL as urlOfFile } from 'node:url';
function resolveFrom(from, name) { return urlOfFile(requireFrom(from).resolve(name)).href; }`;

const plugin = {
  name: 'docwright',
  resolveId(id, importer, { kind }) {
    if (!external.test(id) || importer === undefined) return undefined;
    try {
      const file = createRequire(importer).resolve(id);
      return { id: kind === 'require-call' ? file : pathToFileURL(file).href, external: true };
    } catch {
      // Not installed: the code that imports it catches the error.
      return { id, external: true };
    }
  },
  transform: {
    filter: { id: /^[^\0]/u },
    handler(code, id) {
      // A source map of the libraries would take 15 MB and is not needed.
      const map = id.includes('node_modules') ? { mappings: '' } : null;
      if (!code.includes('import.meta')) return map === null ? undefined : { code, map };
      const url = JSON.stringify(pathToFileURL(id).href);
      // Bundled code still sees the path of its source file: texts, WebAssembly and the web app are found relative to it.
      const bundled = code
        .replaceAll(workerFile, (_all, worker) => {
          const name = path.basename(worker, '.ts');
          const file = path.resolve(path.dirname(id), worker);
          this.emitFile({ type: 'chunk', id: file, fileName: `${name}.mjs` });
          return `new URL('./${name}.mjs', import.meta.bundleUrl)`;
        })
        .replaceAll(/import\.meta\.resolve\('([^']+)'\)/gu, (_all, name) =>
          JSON.stringify(import.meta.resolve(name, JSON.parse(url))),
        )
        .replaceAll('import.meta.resolve(', `resolveFrom(${url}, `)
        // Code that Emscripten made assigns the address where it is missing; the address stays where it is assigned to.
        .replaceAll(/import\.meta\.url(?!\s*=[^=])/gu, url)
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)))
        .replaceAll('import.meta.filename', JSON.stringify(id))
        .replaceAll('import.meta.bundleUrl', 'import.meta.url');
      // No replacement adds a line, so the source map of the unchanged code still fits.
      return { code: bundled.includes('resolveFrom(') ? `${bundled}\n${resolveFrom}` : bundled, map };
    },
  },
};

const bundle = await rolldown({
  input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, path.join(root, file)])),
  platform: 'node',
  plugins: [plugin],
  logLevel: 'warn',
});
await bundle.write({
  dir: folder,
  format: 'esm',
  // Node.js reads the whole bundle at each start. Without white space and the text of the sources it is a third smaller.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, legalComments: 'none' } },
  sourcemap: true,
  sourcemapExcludeSources: true,
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
});
