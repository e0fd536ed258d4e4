import type { UndoBody } from '@docwright/contract';
import { useRef } from 'react';
import { ApiError } from '../http/api-error.ts';

/**
 * An undo that fails once if it would remove documents with verified results: the message names them, and the user undoes
 * it by choosing Undo again.
 */
export function useAskedUndo() {
  const knowsOfVerified = useRef(false);
  return async <Answer>(undo: (body: UndoBody) => Promise<Answer>): Promise<Answer> =>
    await undo(knowsOfVerified.current ? { including_verified: true } : {}).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'documents_verified')) throw error;
      knowsOfVerified.current = true;
      throw new Error(`${error.message.replace(/ Send including_verified.*$/, '')} Choose Undo again to do it.`);
    });
}
