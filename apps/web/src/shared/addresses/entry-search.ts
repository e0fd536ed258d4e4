/** What the addresses of signing in and of making an account hold. */
interface EntrySearch {
  invitation_token?: string;
  /** The printed link that led here had been followed before, or is none. */
  link?: 'used';
}

/** Reads an address that anybody may have typed: what makes no sense is left out. */
export function readEntrySearch({ invitation_token: token, link }: Record<string, unknown>): EntrySearch {
  return {
    ...(typeof token === 'string' || typeof token === 'number' ? { invitation_token: String(token) } : {}),
    ...(link === 'used' ? { link } : {}),
  };
}
