import { z } from 'zod';
import { wordsOf } from '../page/fold.ts';
import type { Conversation } from '../plan/conversation.ts';

const shape = z.array(
  z.looseObject({
    id: z.string(),
    name: z.string(),
    type: z.string().default('text'),
    allowedValues: z.string().default(''),
  }),
);
export type KnownColumn = z.infer<typeof shape>[number];

/** Whether the request is for designing columns, without a document. */
export function designsColumns({ tools }: Conversation): boolean {
  return tools.has('add_column') && !tools.has('run_extraction');
}

/** The current columns, from one line of the system prompt. */
export function columnsNow({ system }: Conversation): KnownColumn[] {
  return columnsIn(/^Current columns:\n(.*)$/mu.exec(system)?.[1]);
}

/** Lists of objects by name, with the columns of their rows. */
export function listsNow({ system }: Conversation): { name: string; columns: KnownColumn[] }[] {
  const lines = system.matchAll(/^The list (".*"), columns of its rows:\n(.*)$/gmu);
  return [...lines].map(([, name = '""', line]) => ({ name: String(JSON.parse(name)), columns: columnsIn(line) }));
}

function columnsIn(line = '[]'): KnownColumn[] {
  try {
    return shape.parse(JSON.parse(line));
  } catch {
    return [];
  }
}

/** The named column: by its whole name, otherwise the only one whose name contains the words. */
export function columnNamed(words: string, columns: readonly KnownColumn[]): KnownColumn | undefined {
  const wanted = wordsOf(words);
  const exact = columns.find(({ name }) => wordsOf(name) === wanted);
  if (exact || wanted === '') return exact;
  const near = columns.filter(({ name }) => ` ${wordsOf(name)} `.includes(` ${wanted} `));
  return near.length === 1 ? near[0] : undefined;
}
