import { z } from 'zod';
import { wordsOf } from '../page/fold.ts';
import type { Conversation } from '../plan/conversation.ts';

const shape = z.array(
  z.looseObject({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    allowedValues: z.string().default(''),
  }),
);
export type KnownColumn = z.infer<typeof shape>[number];

/** Whether the model has been given columns to design, and no document. */
export function designsColumns({ tools }: Conversation): boolean {
  return tools.has('add_column') && !tools.has('run_extraction');
}

/** The columns as they stand, which the system prompt shows in one line. */
export function columnsNow({ system }: Conversation): KnownColumn[] {
  const line = /^Current columns:\n(.*)$/mu.exec(system)?.[1] ?? '[]';
  try {
    return shape.parse(JSON.parse(line));
  } catch {
    return [];
  }
}

/** The column that words name: by its whole name, else the only one whose name holds them. */
export function columnNamed(words: string, columns: readonly KnownColumn[]): KnownColumn | undefined {
  const wanted = wordsOf(words);
  const exact = columns.find(({ name }) => wordsOf(name) === wanted);
  if (exact || wanted === '') return exact;
  const near = columns.filter(({ name }) => ` ${wordsOf(name)} `.includes(` ${wanted} `));
  return near.length === 1 ? near[0] : undefined;
}
