/** Bundles the nodes as CommonJS, each under the name by which n8n loads its class. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';

const here = import.meta.dirname;
const dist = path.join(here, process.argv[2] ?? 'dist');
const files = {
  'DocwrightApi.credentials': 'docwright-api.ts',
  'Docwright.node': 'docwright-node.ts',
  'DocwrightTrigger.node': 'docwright-trigger.ts',
  index: 'index.ts',
};

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
for (const [name, source] of Object.entries(files)) {
  const bundle = await rolldown({ input: path.join(here, 'src', source), platform: 'node', external: [/^node:/] });
  await bundle.write({ file: path.join(dist, `${name}.js`), format: 'cjs', codeSplitting: false });
  await bundle.close();
}
// The package's own sources are modules.
await writeFile(path.join(dist, 'package.json'), '{ "type": "commonjs" }\n');
