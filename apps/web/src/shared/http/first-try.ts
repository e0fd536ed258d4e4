/**
 * Whether a query waits for its first answer. Parts of a page that should appear together wait for this: a query that fails
 * and is tried again holds nothing back.
 */
export const isFirstTry = ({ isPending, failureCount }: { isPending: boolean; failureCount: number }): boolean =>
  isPending && failureCount === 0;
