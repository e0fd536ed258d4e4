import { parseArgs } from 'node:util';
import { openLaboratory, type Laboratory, type Roles } from './laboratory.ts';
import { idle } from './scenarios/idle.ts';
import { lists } from './scenarios/lists.ts';
import { pages } from './scenarios/pages.ts';
import { seed, type Seeded } from './seed.ts';

/**
 * `npm run load -- SCENARIO [--size 1000,10000] [--processes 1+1] [--folder PATH]`: measures whole installations. A folder
 * is kept, and its documents are used again.
 */
const scenarios: Record<string, (laboratory: Laboratory, seeded: Seeded) => Promise<Record<string, unknown>>> = {
  idle,
  lists,
  pages,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '1000' },
    processes: { type: 'string', default: '1+0' },
    folder: { type: 'string' },
  },
});
const scenario = scenarios[positionals[0] ?? ''];
if (scenario === undefined) {
  console.error(`Name a scenario: ${Object.keys(scenarios).join(', ')}.`);
  process.exit(2);
}
const laboratory = await openLaboratory(rolesOf(values.processes), values.folder);
try {
  for (const size of values.size.split(',').map(Number)) {
    const start = performance.now();
    const seeded = await seed(laboratory, size);
    console.log(`${positionals[0]}: ${size} documents after ${Math.round((performance.now() - start) / 1000)} s`);
    console.table(await scenario(laboratory, seeded));
  }
} finally {
  await laboratory.stop();
}

/** `2+2` is two API and two worker processes, `1+0` one process that does both. */
function rolesOf(text: string): Roles {
  const [api = 1, worker = 0] = text.split('+').map(Number);
  return { api, worker };
}
