import { z } from 'zod';
import { workingState } from './turn-answer.ts';

/** What undoing a turn took back, the newest first, and what the thread goes on with. */
export const undoAnswer = z.object({
  undone: z.array(z.object({ call_id: z.string(), tool: z.string() })),
  working_state: workingState,
});
export type UndoAnswer = z.infer<typeof undoAnswer>;
