import { createRequire } from 'node:module';
import path from 'node:path';
import { constants } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, normalizePath } from 'vite';
import { compression, defineAlgorithm } from 'vite-plugin-compression2';
import { viteStaticCopy } from 'vite-plugin-static-copy';

const pdfjs = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/** Files that the PDF worker fetches while it renders; the app serves them flat under `/pdfjs/<folder>/`. */
const pdfAssets = ['cmaps', 'standard_fonts', 'wasm', 'iccs'].map((folder) => ({
  src: normalizePath(path.join(pdfjs, folder, '*')),
  dest: `pdfjs/${folder}`,
  rename: { stripBase: true as const },
}));

const apiPaths = ['/v0', '/api', '/health', '/ready', '/metrics', '/docs', '/mcp', '/.well-known'];
const api = process.env['DOCWRIGHT_API'] ?? 'http://127.0.0.1:3000';
const proxy = Object.fromEntries(apiPaths.map((prefix) => [prefix, { target: api, changeOrigin: false }]));

/**
 * Icons, requests and simple components that many pages use: a few hundred bytes each, smaller in one chunk than apart.
 * Requests of areas that are separate from documents load with their own pages.
 */
const small =
  /lucide-react|src\/shared\/http\/(?!failed-fields)|src\/shared\/api\/(?!collections|runs|schedules|sources)|src\/shared\/ui\/(fields\/)?(button|check-field|class-names|empty-state|notice|retry-notice|scroll-box|skeleton|spinner|stored-value|text-field)\./u;

/** The same for modules that fewer pages use: a chunk of its own would cost more than its content. */
const tiny =
  /src\/shared\/(api|http)\/(chat-api|follow-events|permission-rules-api|tags-api)\.|src\/shared\/ui\/(icon-button|use-copy|use-media-query)\.|src\/agent-ui\/composer\./u;

/** What every page needs before anything is shown. Without a chunk of its own, the sign-in page would load `shared`. */
const shell =
  /preload-helper|node_modules\/(react-dom|scheduler|use-sync-external-store|@tanstack)\/|src\/shared\/(session\/|addresses\/library-search|api\/account\/identity-api|page\/(theme|failed-page|connection-notice|logo)|ui\/(toasts|parts\/|browser\/stored-value))/u;

/**
 * Modules that so many pages use are one chunk: a browser has six connections to a server, and each further file of a page
 * costs it a part of a round trip. Fewer pages would make the chunk larger than what most of them need.
 */
const pagesOfShared = 10;

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    viteStaticCopy({ targets: pdfAssets }),
    compression({
      include: /\.(js|mjs|css|html|svg|wasm)$/u,
      threshold: 1024,
      // Quality 10 takes three seconds more than 9 and sends 6 % less; 11 takes six seconds more than 10 and sends 2 % less.
      algorithms: [
        defineAlgorithm('brotliCompress', { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
        defineAlgorithm('gzip', { level: 9 }),
      ],
      logLevel: 'silent',
    }),
  ],
  resolve: {
    alias: [
      {
        find: 'pdfjs-dist/web/pdf_viewer.mjs',
        replacement: path.resolve(import.meta.dirname, 'src/features/viewer/unused-link-service.ts'),
      },
      {
        find: './lib/svg.js',
        replacement: path.resolve(import.meta.dirname, 'src/agent-ui/markdown/empty-svg-schema.ts'),
      },
    ],
  },
  server: { proxy },
  preview: { proxy },
  build: {
    // The licences of the dependencies require their texts in every copy of the app.
    license: { fileName: 'licenses.md' },
    // Inlined `data:` URLs would need a wider content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'common', test: small, minShareCount: 5 },
            { name: 'parts', test: tiny, minShareCount: 2 },
            { name: 'shell', test: shell },
            { name: 'shared', minShareCount: pagesOfShared },
          ],
        },
      },
    },
  },
});
