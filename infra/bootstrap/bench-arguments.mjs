/**
 * Reads `npm run bench -- NAME… [--short] [options of the benchmark]`: parts of names come first, and what follows the first
 * option is handed to the benchmark as it is. Options need one benchmark, as each has its own.
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
