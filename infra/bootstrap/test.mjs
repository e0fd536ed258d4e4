import fs from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { findOrInstallChromium } from './chromium.mjs';
import { installDependencies } from './dependencies.mjs';
import { runCommand } from './run-command.mjs';
import { print, seconds, step } from './terminal.mjs';
import { buildServer } from './server-build.mjs';
import { installToolchain, root } from './toolchain.mjs';
import { buildWeb } from './web-build.mjs';

const args = process.argv.slice(2);
const paths = args.filter((arg) => !arg.startsWith('-'));
const needs = requirementsOf(paths);

const toolchain = await installToolchain();
await installDependencies(toolchain);

const totals = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
// Neither the tests beside the sources nor the checks need the product: they run while it is built.
const checks = paths.length === 0 ? checkSources() : [];
const besideSources = paths.length === 0 ? runTests('beside-sources', ['--project', '!whole']) : undefined;
const [chromium] = await Promise.all([
  needs.browser ? findOrInstallChromium(toolchain) : undefined,
  ...(needs.product ? [buildWeb(toolchain), buildServer(toolchain)] : []),
  besideSources,
]);
if (needs.browser && chromium === undefined && process.env.CI === 'true') {
  print('The browser tests could not run: no Chromium.');
  totals.failed += 1;
}
const variables = chromium === undefined ? {} : { CHROMIUM_PATH: chromium };
if (paths.length === 0) await runTests('whole-product', ['--project', 'whole'], variables);
else await runTests('chosen', [], variables);
// What the checks found is printed at the end, where it can be seen.
for (const { name, output } of await Promise.all(checks)) if (output !== '') print(`\n${name} failed:\n${output}`);
// Named again at the end: often only the last lines of a log are kept.
for (const failure of failures) print(`\n${failure}`);
print(`in ${seconds()}`);
print(`${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`);
process.exit(totals.failed > 0 ? 1 : 0);

/** Whether the tests below these paths need a built product and a browser. Without a path, all tests run. */
function requirementsOf(wanted) {
  const inTests = fs
    .readdirSync(path.join(root, 'tests'), { recursive: true })
    .map((file) => `tests/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts') && !file.includes('/node_modules/'));
  const chosen = inTests.filter(
    (file) => wanted.length === 0 || wanted.some((part) => file.includes(toRelative(part))),
  );
  return {
    product: chosen.some((file) => !/^tests\/(?:architecture|bench|conformance)\//.test(file)),
    browser: chosen.some((file) => /launchBrowser|chromiumPath/.test(fs.readFileSync(path.join(root, file), 'utf8'))),
  };
}

/** The path in the form that Vitest compares: relative to the repository, or a part of a path. */
function toRelative(part) {
  const absolute = path.resolve(part);
  return fs.existsSync(absolute) ? path.relative(root, absolute) : path.normalize(part);
}

/**
 * Format, lint and types, side by side. Few threads are faster, because each thread checks the shared types again; and so is
 * collecting garbage only at 3 GB, which the linter takes in any case.
 */
function checkSources() {
  const threads = String(Math.max(1, Math.floor(availableParallelism() / 2)));
  const memory = { GOGC: 'off', GOMEMLIMIT: '3GiB' };
  const types = ['--noEmit', '--checkers', threads];
  return [
    check('format', ['oxfmt', '--check']),
    check('lint', ['oxlint', '--type-aware', '--deny-warnings'], { ...memory, GOMAXPROCS: threads }),
    check('types', ['tsc', ...types, '-p', 'tsconfig.json'], memory),
    check('types of the web app', ['tsc', ...types, '-p', 'apps/web/tsconfig.json'], memory),
  ];
}

/** Returns what the check printed if it failed. */
async function check(name, [command, ...args], variables = {}) {
  const file = path.join(root, 'node_modules/.bin', command);
  const env = { ...toolchain.env, ...variables };
  let output = '';
  const onOutput = (chunk) => {
    output += chunk;
  };
  const code = await step(name, () => runCommand(file, args, { cwd: root, env, onOutput }));
  totals[code === 0 ? 'passed' : 'failed'] += 1;
  return { name, output: code === 0 ? '' : output };
}

async function runTests(name, selection, variables = {}) {
  const report = path.join(root, 'test-output', `${name}.json`);
  fs.rmSync(report, { force: true });
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const env = { ...toolchain.env, ...variables };
  const code = await runCommand(toolchain.node, [vitest, 'run', ...reporters, ...selection, ...args], {
    cwd: root,
    env,
  });
  const counted = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : undefined;
  failures.push(...failuresIn(counted?.testResults ?? []));
  totals.passed += counted?.numPassedTests ?? 0;
  totals.failed += counted?.numFailedTests ?? 0;
  totals.skipped += (counted?.numPendingTests ?? 0) + (counted?.numTodoTests ?? 0);
  // A file that fails to load or an unhandled rejection fails the run without a failed test of its own.
  if (code !== 0 && (counted?.numFailedTests ?? 0) === 0) totals.failed += 1;
}

/** File, name and first lines of the error of each failed test, and of each file that could not be loaded. */
function failuresIn(files) {
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [`Failed: ${file}\n${firstLines(message)}`];
    return failed.map((test) => `Failed: ${file} > ${test.fullName}\n${firstLines(test.failureMessages.join('\n'))}`);
  });
}

function firstLines(text) {
  return text.split('\n').slice(0, 12).join('\n').slice(0, 2000);
}
