/** Runs the main story through clients and tools of other projects, against a started product, and prints a table. */
import fs from 'node:fs';
import path from 'node:path';
import { startSignedInProduct, invoice, root } from '../sdk/signed-in-product.ts';
import { has, missing, run, type Env } from './programs.ts';
import { generatedRequests } from './generated-requests.ts';
import { throughLiteLlm } from './lite-llm.ts';
import { mcpConformance } from './mcp-conformance.ts';
import { mcpStory } from './mcp-story.ts';
import { officialInvoices, type OfficialInvoice } from './official-invoices.ts';
import { pinned } from './pinned.ts';
import packageInfo from '../package.json' with { type: 'json' };

interface Part {
  client: string;
  version: string;
  /** The programs that the machine must have. */
  needs: string[];
  story(): Promise<string>;
}

const folder = path.join(root, '.interop');
const stories = path.join(import.meta.dirname, 'stories');
const jar = path.join(folder, `openapi-generator-cli-${pinned.openapiGenerator}.jar`);
const document = path.join(folder, 'openapi.json');
const inFolder = (name: string): string => path.join(folder, name);

fs.mkdirSync(folder, { recursive: true });
// Its own product: the shared one exists only in a run of the tests.
const product = await startSignedInProduct({ settings: {} });
const env: Env = { DOCWRIGHT_URL: product.url, DOCWRIGHT_TOKEN: product.token, INVOICE: invoice };

async function freshFolder(name: string): Promise<string> {
  const place = inFolder(name);
  fs.rmSync(place, { recursive: true, force: true });
  fs.mkdirSync(place, { recursive: true });
  return place;
}

async function bringGenerator(): Promise<void> {
  if (fs.existsSync(jar)) return;
  const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${pinned.openapiGenerator}`;
  await run('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`], { cwd: folder });
}

/** Generates a client with openapi-generator in a folder of its own. */
async function generate(language: string, options: string[]): Promise<string> {
  await bringGenerator();
  const place = await freshFolder(language);
  const without = 'skipFormModel=false,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  const command = ['generate', '-g', language, '-i', document, '-o', place, '--global-property', without, ...options];
  await run('java', ['-Xmx700m', '-jar', jar, ...command], { cwd: folder });
  return place;
}

/** Creates a separate virtual environment, because the tools need different versions of the same packages. */
async function python(name: string, packages: string[]): Promise<string> {
  const place = inFolder(`python-${name}`);
  const bin = path.join(place, process.platform === 'win32' ? 'Scripts' : 'bin');
  const stamp = path.join(place, 'installed.txt');
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === packages.join()) return bin;
  await run('python3', ['-m', 'venv', place], { cwd: folder });
  await run(path.join(bin, 'python'), ['-m', 'pip', 'install', '-q', ...packages], { cwd: folder });
  fs.writeFileSync(stamp, packages.join());
  return bin;
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

const parts: Part[] = [
  {
    client: 'MCP, the TypeScript client of this workspace',
    version: packageInfo.dependencies['@modelcontextprotocol/client'],
    needs: [],
    story: () => mcpStory(product),
  },
  {
    client: 'TypeScript, openapi-typescript and openapi-fetch',
    version: `${pinned.openapiTypescript}, ${pinned.openapiFetch}`,
    needs: ['npm'],
    async story() {
      const place = inFolder('typescript');
      fs.mkdirSync(place, { recursive: true });
      fs.writeFileSync(path.join(place, 'package.json'), '{ "type": "module", "private": true }');
      const packages = [
        `openapi-typescript@${pinned.openapiTypescript}`,
        `openapi-fetch@${pinned.openapiFetch}`,
        `typescript@${pinned.typescript}`,
        `@types/node@${pinned.typesNode}`,
      ];
      await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], { cwd: place });
      fs.copyFileSync(path.join(stories, 'story.ts'), path.join(place, 'story.ts'));
      const modules = path.join(place, 'node_modules');
      await run(process.execPath, [`${modules}/openapi-typescript/bin/cli.js`, document, '-o', 'api.d.ts'], {
        cwd: place,
      });
      const strict = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
      const target = ['--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
      await run(process.execPath, [`${modules}/typescript/bin/tsc`, ...strict, ...target, 'story.ts'], { cwd: place });
      return lastLine(await run(process.execPath, ['story.ts'], { cwd: place, env }));
    },
  },
  {
    client: 'Python, openapi-generator',
    version: pinned.openapiGenerator,
    needs: ['python3', 'java', 'mvn'],
    async story() {
      const bin = await python('generated', pinned.pythonOfGenerated);
      const place = await generate('python', ['--additional-properties', 'packageName=docwright_client']);
      const script = path.join(stories, 'story.py');
      return lastLine(
        await run(path.join(bin, 'python'), [script], { cwd: place, env: { ...env, PYTHONPATH: place } }),
      );
    },
  },
  {
    client: 'Java, openapi-generator',
    version: pinned.openapiGenerator,
    needs: ['java', 'mvn'],
    async story() {
      const packages = ['--invoker-package', 'docwright', '--api-package', 'docwright.api'];
      const models = ['--model-package', 'docwright.model', '--name-mappings', 'equals=equalTo'];
      const place = await generate('java', [...packages, ...models]);
      fs.copyFileSync(path.join(stories, 'Story.java'), path.join(place, 'src/main/java/Story.java'));
      const goals = ['compile', 'dependency:copy-dependencies', '-DincludeScope=runtime'];
      await run('mvn', ['-q', '-B', ...goals], { cwd: place });
      const classes = ['target/classes', 'target/dependency/*'].join(path.delimiter);
      return lastLine(await run('java', ['-cp', classes, 'Story'], { cwd: place, env }));
    },
  },
  {
    client: 'Go, openapi-generator',
    version: pinned.openapiGenerator,
    needs: ['go', 'java', 'mvn'],
    async story() {
      const place = await generate('go', ['--additional-properties', 'packageName=docwright,withGoMod=false']);
      fs.mkdirSync(path.join(place, 'story'));
      fs.copyFileSync(path.join(stories, 'story.go'), path.join(place, 'story/main.go'));
      await run('go', ['mod', 'init', 'docwright.example/client'], { cwd: place });
      await run('go', ['mod', 'tidy'], { cwd: place });
      return lastLine(await run('go', ['run', './story'], { cwd: place, env }));
    },
  },
  {
    client: 'Python, openapi-python-client',
    version: pinned.openapiPythonClient,
    needs: ['python3'],
    async story() {
      const bin = await python('openapi-client', [`openapi-python-client==${pinned.openapiPythonClient}`]);
      const place = await freshFolder('python-client');
      const output = ['--output-path', path.join(place, 'docwright_client'), '--meta', 'none'];
      // Its own formatter is not installed: without hooks, any warning is about the document.
      fs.writeFileSync(path.join(place, 'config.json'), '{ "post_hooks": [] }');
      const config = ['--config', path.join(place, 'config.json'), '--fail-on-warning'];
      await run(path.join(bin, 'openapi-python-client'), ['generate', '--path', document, ...output, ...config], {
        cwd: place,
      });
      await run(path.join(bin, 'python'), ['-m', 'compileall', '-q', place], { cwd: place });
      return 'the client is generated without a warning';
    },
  },
  {
    client: 'Go, oapi-codegen',
    version: pinned.oapiCodegen,
    needs: ['go'],
    async story() {
      const place = await freshFolder('oapi-codegen');
      const tool = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${pinned.oapiCodegen}`;
      const options = ['-generate', 'types,client,skip-prune', '-package', 'docwright', '-o', 'client.go'];
      await run('go', ['run', tool, ...options, document], { cwd: place });
      await run('go', ['mod', 'init', 'docwright.example/oapi'], { cwd: place });
      await run('go', ['mod', 'tidy'], { cwd: place });
      await run('go', ['build', './...'], { cwd: place });
      return 'the client is generated and compiles';
    },
  },
  {
    client: 'MCP, the Python client',
    version: pinned.mcp,
    needs: ['python3'],
    async story() {
      const bin = await python('mcp', [`mcp==${pinned.mcp}`]);
      return lastLine(await run(path.join(bin, 'python'), [path.join(stories, 'mcp_story.py')], { cwd: folder, env }));
    },
  },
  {
    client: 'MCP, the official conformance suite',
    version: pinned.mcpConformance,
    needs: ['npm'],
    async story() {
      const place = inFolder('mcp-conformance');
      fs.mkdirSync(place, { recursive: true });
      fs.writeFileSync(path.join(place, 'package.json'), '{ "type": "module", "private": true }');
      const packages = [`@modelcontextprotocol/conformance@${pinned.mcpConformance}`];
      await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], { cwd: place });
      return await mcpConformance(place);
    },
  },
  {
    client: 'n8n, its engine with the community node',
    version: pinned.n8nCore,
    needs: ['npm'],
    async story() {
      const place = inFolder('n8n');
      fs.mkdirSync(place, { recursive: true });
      fs.writeFileSync(path.join(place, 'package.json'), '{ "private": true }');
      // Its sandbox is compiled from source, which this needs no part of.
      const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      const packages = [`n8n-core@${pinned.n8nCore}`, `n8n-workflow@${pinned.n8nWorkflow}`];
      await run('npm', [...options, ...packages], { cwd: place });
      const node = path.join(root, 'packages/n8n-nodes-docwright');
      await run(process.execPath, ['build.mjs'], { cwd: node });
      fs.copyFileSync(path.join(stories, 'n8n.cjs'), path.join(place, 'story.cjs'));
      return lastLine(await run(process.execPath, ['story.cjs', path.join(node, 'dist')], { cwd: place, env }));
    },
  },
  {
    client: 'LiteLLM as the model endpoint',
    version: pinned.litellm,
    needs: ['python3'],
    async story() {
      const bin = await python('litellm', [`litellm[proxy]==${pinned.litellm}`]);
      return await throughLiteLlm(bin, folder);
    },
  },
  {
    client: 'Official invoices, read by Python beside the product',
    version: pinned.invoices.map((artifact) => artifact.split(':').at(-1)).join(', '),
    needs: ['python3', 'mvn'],
    async story() {
      const place = await freshFolder('invoices');
      for (const artifact of pinned.invoices) {
        await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${place}`], {
          cwd: place,
        });
      }
      const truth = await run('python3', [path.join(stories, 'invoice_truth.py'), place], { cwd: place });
      return await officialInvoices(product, JSON.parse(truth) as OfficialInvoice[]);
    },
  },
  {
    client: 'Schemathesis',
    version: pinned.schemathesis,
    needs: ['python3'],
    async story() {
      const bin = await python('schemathesis', [`schemathesis==${pinned.schemathesis}`]);
      // It deletes objects and ends sessions, so it gets a product of its own.
      const own = await startSignedInProduct({ settings: {} });
      try {
        return await generatedRequests(path.join(bin, 'schemathesis'), folder, own);
      } finally {
        await own.stop();
      }
    },
  },
];

const rows: string[] = [];
const chosen = process.argv.slice(2);
try {
  const answer = await fetch(`${product.url}/docs/json`);
  fs.writeFileSync(document, await answer.text());
  for (const part of parts) {
    if (chosen.length > 0 && !chosen.some((word) => part.client.toLowerCase().includes(word.toLowerCase()))) continue;
    const begun = performance.now();
    let outcome: string;
    const lacks = missing(part.needs);
    if (lacks.length > 0) outcome = `skipped: this machine has no ${lacks.join(' and no ')}`;
    else {
      process.stdout.write(`· ${part.client} …\n`);
      try {
        outcome = await part.story();
      } catch (error) {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
        outcome = 'FAILED';
        process.exitCode = 1;
      }
    }
    const took = `${Math.round((performance.now() - begun) / 1000)} s`;
    rows.push(`| ${part.client} | ${part.version} | ${outcome} | ${took} |`);
  }
} finally {
  await product.stop();
}
const tools = `Node.js ${process.version}, ${has('java') ? 'Java' : 'no Java'}, ${has('go') ? 'Go' : 'no Go'}`;
process.stdout.write(
  [
    '',
    `${new Date().toISOString().slice(0, 10)}, ${tools}`,
    '',
    '| client | version | story | time |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n'),
);
