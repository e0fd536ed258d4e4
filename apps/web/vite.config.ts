import { createRequire } from 'node:module';
import path from 'node:path';
import { constants } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, normalizePath, type Plugin } from 'vite';
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

/** What everyone needs before anything is shown, and what those need who are not signed in. */
const shellRoots = ['src/main.tsx', 'src/features/sign-in/sign-in-page.tsx'];
let shell: Set<string> | undefined;

/** Whether the shell imports the module. */
function isInShell(id: string, infoOf: (id: string) => { importedIds: readonly string[] } | null): boolean {
  if (shell === undefined) {
    shell = new Set(shellRoots.map((root) => normalizePath(path.resolve(import.meta.dirname, root))));
    for (const each of shell) for (const imported of infoOf(each)?.importedIds ?? []) shell.add(imported);
  }
  return shell.has(id);
}

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    viteStaticCopy({ targets: pdfAssets }),
    firstPages(),
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
            {
              debugName: 'shell',
              name: (id, modules) => (isInShell(id, (of) => modules.getModuleInfo(of)) ? 'shell' : null),
              priority: 2,
            },
            // One file instead of twenty small ones, each with its own request.
            { name: 'pages', minShareCount: 9, priority: 1 },
          ],
        },
      },
    },
  },
});

/** The pages that users open from a bookmark or a link, by the beginning of their path, and the modules that they show first. */
const documentModules = ['documents/page/document-page', 'viewer/document-viewer', 'viewer/pdf-viewer'];
const firstModules: Record<string, string[]> = {
  '/': ['documents/list/document-list-page'],
  '/documents/': [...documentModules, 'extraction/extraction-panel'],
  '/documents/?tab': documentModules,
  '/review': ['review/review-page', 'viewer/document-viewer', 'viewer/pdf-viewer'],
};

/**
 * Writes which files the first pages need to `first-pages.json`, by the path of the page. The server names them in its first
 * answer, so that the browser loads them beside the script that would ask for them a second later.
 */
function firstPages(): Plugin {
  return {
    name: 'first-pages',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
      const fileOf = (name: string) =>
        chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/src/features/${name}.tsx`)))?.fileName;
      const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]));
      const files = Object.entries(firstModules).map(([path, names]) => {
        const needed = new Set(names.flatMap((name) => fileOf(name) ?? this.error(`No file has the module ${name}.`)));
        for (const each of needed) for (const imported of importsOf.get(each) ?? []) needed.add(imported);
        return [path, [...needed].map((file) => `/${file}`)];
      });
      this.emitFile({
        type: 'asset',
        fileName: 'first-pages.json',
        source: JSON.stringify(Object.fromEntries(files)),
      });
    },
  };
}
