/**
 * Reads the arguments of `npm run bench -- NAME… [--short] [options of the benchmark]`. Parts of names come first. The first
 * option and everything after it are passed to the benchmark; only one benchmark can have options.
 */
export function benchArguments(args, benchmarks) {
  const isShort = args.includes('--short');
  const rest = args.filter((arg) => arg !== '--short');
  const firstOption = rest.findIndex((arg) => arg.startsWith('-'));
  const names = firstOption < 0 ? rest : rest.slice(0, firstOption);
  const options = firstOption < 0 ? [] : rest.slice(firstOption);
  const chosen = benchmarks.filter((file) => names.length === 0 || names.some((name) => file.includes(name)));
  if (chosen.length === 0) {
    return { problem: `No benchmark matches ${names.join(', ')}. Name one of ${benchmarks.join(', ')}.` };
  }
  if (options.length > 0 && chosen.length > 1) {
    return { problem: `${options[0]} is an option of one benchmark. Name one of ${chosen.join(', ')} before it.` };
  }
  return { isShort, chosen, options };
}
