/** Progress for a person at a terminal: what is being done, and how long it took. */

const started = performance.now();

export function say(text) {
  process.stdout.write(`${text}\n`);
}

/** Runs one step, saying its name before and its time after; a step that has nothing to do stays silent. */
export async function step(name, work) {
  const begun = performance.now();
  say(`· ${name} …`);
  const answer = await work();
  say(`  ${name}: ${seconds(performance.now() - begun)}`);
  return answer;
}

export function seconds(milliseconds = performance.now() - started) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Ends the process with one line that names the cure. */
export function giveUp(text) {
  process.stderr.write(`\n${text}\n`);
  process.exit(1);
}
