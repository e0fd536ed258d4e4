import type { Plugin, Rolldown } from 'vite';

/** A built page: what its address looks like, with the query, and the files that it needs before it can be used. */
interface FirstFiles {
  address: string;
  scripts: string[];
  styles: string[];
}

const document = String.raw`^/documents/[\da-f]{24}`;
const viewer = ['features/documents/page/document-page.tsx', 'features/viewer/pdf-viewer.tsx'];

/** The pages where a day begins, by address; the first that matches counts. */
const pages: readonly (readonly [address: string, modules: readonly string[]])[] = [
  [String.raw`^/(\?|$)`, ['features/documents/list/document-list-page.tsx']],
  [String.raw`^/review(\?|$)`, ['features/review/review-page.tsx', 'features/viewer/pdf-viewer.tsx']],
  [String.raw`${document}\?(.*&)?tab=agent`, [...viewer, 'features/chat/agent-panel.tsx']],
  [String.raw`${document}\?(.*&)?tab=forms`, [...viewer, 'features/forms/forms-panel.tsx']],
  [String.raw`${document}(\?|$)`, [...viewer, 'features/extraction/extraction-panel.tsx']],
];

/**
 * Writes `first-files.json`: the server names these files together with the page, so that the browser does not find one
 * after the other.
 */
export function firstFiles(): Plugin {
  return {
    name: 'first-files',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const entry = chunks.find(({ isEntry }) => isEntry);
      if (entry === undefined) throw new Error('The build has no entry.');
      // The page itself names those.
      const known = closureOf([entry], bundle);
      const found = pages.map(([address, modules]): FirstFiles => {
        const own = modules.map((module) => chunkOf(module, chunks));
        const files = [...closureOf(own, bundle)].filter((chunk) => !known.has(chunk));
        const styles = new Set(files.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]));
        return { address, scripts: files.map(({ fileName }) => fileName), styles: [...styles] };
      });
      this.emitFile({ type: 'asset', fileName: 'first-files.json', source: JSON.stringify(found) });
    },
  };
}

function chunkOf(module: string, chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk {
  const found = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/src/${module}`)));
  if (found === undefined) throw new Error(`No file of the build has ${module}.`);
  return found;
}

/** The chunks and all that they import before they run. */
function closureOf(chunks: readonly Rolldown.OutputChunk[], bundle: Rolldown.OutputBundle): Set<Rolldown.OutputChunk> {
  const found = new Set(chunks);
  for (const { imports } of found) {
    for (const name of imports) {
      const file = bundle[name];
      if (file?.type === 'chunk') found.add(file);
    }
  }
  return found;
}
