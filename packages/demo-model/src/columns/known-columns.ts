import { z } from 'zod';
import type { RuleInput } from '../conversation/conversation.ts';
import { wordsOf } from '../page/fold.ts';

const columnList = z.array(
  z.looseObject({
    id: z.string(),
    name: z.string(),
    type: z.string().default('text'),
    allowedValues: z.string().default(''),
  }),
);
export type KnownColumn = z.infer<typeof columnList>[number];

/** Whether the request is for designing columns, without a document. */
export function designsColumns({ tools }: RuleInput): boolean {
  return tools.has('add_column') && !tools.has('run_extraction');
}

/** The current columns, from one line of the system prompt. */
export function currentColumns({ system }: RuleInput): KnownColumn[] {
  return columnsIn(/^Current columns:\n(.*)$/mu.exec(system)?.[1]);
}

/** The lists of objects in the schema, with the columns of their rows. */
export function currentLists({ system }: RuleInput): { name: string; columns: KnownColumn[] }[] {
  const lines = system.matchAll(/^The list (".*"), columns of its rows:\n(.*)$/gmu);
  return [...lines].map(([, name = '""', line]) => ({ name: String(JSON.parse(name)), columns: columnsIn(line) }));
}

function columnsIn(line = '[]'): KnownColumn[] {
  try {
    return columnList.parse(JSON.parse(line));
  } catch {
    return [];
  }
}

/** The column with this name, otherwise the only one whose name contains these words. */
export function findColumn(words: string, columns: readonly KnownColumn[]): KnownColumn | undefined {
  const wanted = wordsOf(words);
  const exact = columns.find(({ name }) => wordsOf(name) === wanted);
  if (exact || wanted === '') return exact;
  const similar = columns.filter(({ name }) => ` ${wordsOf(name)} `.includes(` ${wanted} `));
  return similar.length === 1 ? similar[0] : undefined;
}
