import { z } from 'zod';
import { workingState } from './turn-answer.ts';

/** The undone calls of a turn, the newest first, and the thread's working state afterwards. */
export const undoAnswer = z.object({
  undone: z.array(z.object({ call_id: z.string(), tool: z.string() })),
  working_state: workingState,
});
export type UndoAnswer = z.infer<typeof undoAnswer>;
