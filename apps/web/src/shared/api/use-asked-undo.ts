import type { UndoBody } from '@docwright/contract';
import { useRef } from 'react';
import { ApiError } from '../http/api-error.ts';

/**
 * An undo that fails once if it would remove documents with verified results: the message names them, and the user undoes
 * it by choosing Undo again.
 *
 * @param of the change, if the component shows one after another
 */
export function useAskedUndo(of = '') {
  const asked = useRef<string>(undefined);
  return async <Answer>(undo: (body: UndoBody) => Promise<Answer>): Promise<Answer> =>
    await undo(asked.current === of ? { including_verified: true } : {}).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'documents_verified')) throw error;
      asked.current = of;
      throw new Error(`${error.message.replace(/ Send including_verified.*$/, '')} Choose Undo again to do it.`);
    });
}
