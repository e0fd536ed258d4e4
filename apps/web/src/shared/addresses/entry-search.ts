/** Query string of the pages `/sign-in` and `/create-account`. */
interface EntrySearch {
  invitation_token?: string;
  /** The printed sign-in link was used before or is invalid. */
  link?: 'used';
}

/** Reads a query string that a user may have typed; invalid values are dropped. */
export function readEntrySearch({ invitation_token: token, link }: Record<string, unknown>): EntrySearch {
  return {
    ...(typeof token === 'string' || typeof token === 'number' ? { invitation_token: String(token) } : {}),
    ...(link === 'used' ? { link } : {}),
  };
}
