import { useMutation, useQueryClient, type QueryKey, type UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';
import { messageOf } from '../http/api-error.ts';
import { useToast } from '../ui/toasts.tsx';

interface ChangeOptions<Answer, Input> {
  /** What the server is asked for again afterwards. */
  refreshes?: readonly QueryKey[];
  /** A passing message about the success. */
  says?: string | ((answer: Answer, input: Input) => string);
  /** What follows. */
  onDone?: (answer: Answer, input: Input) => unknown;
  /** Whether a failure is a passing message. Otherwise the caller shows `error`. */
  showsError?: boolean;
  /** What follows a failure, in place of a passing message. */
  onError?: (error: Error) => unknown;
}

/**
 * A change that the user makes on the server. It is pending until its queries are loaded again and `onDone` has ended.
 *
 * @example
 * const deleting = useChange((id: string) => deleteTag(orgId, id), { refreshes: [tagsKey(orgId)], showsError: true });
 */
export function useChange<Answer, Input = void>(
  send: (input: Input) => Promise<Answer>,
  { refreshes = [], says, onDone, showsError = false, onError }: ChangeOptions<Answer, Input>,
): UseMutationResult<Answer, Error, Input> {
  const queries = useQueryClient();
  const toast = useToast();
  const underWay = useRef<{ input: Input; answer: Promise<Answer> }>(undefined);
  /** A second click before the button is disabled writes nothing again. */
  function sendOnce(input: Input): Promise<Answer> {
    if (underWay.current !== undefined && Object.is(underWay.current.input, input)) return underWay.current.answer;
    const answer = send(input).finally(() => {
      if (underWay.current?.answer === answer) underWay.current = undefined;
    });
    underWay.current = { input, answer };
    return answer;
  }
  return useMutation({
    mutationFn: sendOnce,
    onSuccess: async (answer, input) => {
      if (says !== undefined) toast(typeof says === 'string' ? says : says(answer, input));
      await Promise.all(refreshes.map((queryKey) => queries.invalidateQueries({ queryKey })));
      await onDone?.(answer, input);
    },
    ...(onError && { onError }),
    ...(showsError && { onError: (error) => toast(messageOf(error), 'bad') }),
  });
}
