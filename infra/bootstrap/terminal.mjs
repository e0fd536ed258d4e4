// Progress on the terminal: the running step and its duration.

const started = performance.now();

export function print(text) {
  process.stdout.write(`${text}\n`);
}

/** Runs one step. Prints its name before and its duration after. */
export async function step(name, work) {
  const startedStep = performance.now();
  print(`· ${name} …`);
  const result = await work();
  print(`  ${name}: ${seconds(performance.now() - startedStep)}`);
  return result;
}

/** A duration in seconds, by default the time since the start of this process. */
export function seconds(milliseconds = performance.now() - started) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Ends the process with an error. The text says what to do. */
export function exitWithError(text) {
  process.stderr.write(`\n${text}\n`);
  process.exit(1);
}
