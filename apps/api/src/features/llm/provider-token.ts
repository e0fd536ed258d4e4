import { createSealedTexts } from '../../platform/settings/sealed-text.ts';

/** The owner that a token is bound to, so that a record copied or changed in the database is useless. */
interface TokenPlace {
  organizationId: string;
  provider: string;
  /** Scheme, host and port that it is sent to. */
  origin: string;
}

/** The place of a stored provider's token. */
export function tokenPlaceOf(
  organizationId: string,
  { name, base_url }: { name: string; base_url: string | null },
): TokenPlace {
  return { organizationId, provider: name, origin: URL.parse(base_url ?? '')?.origin ?? '' };
}

/** Seals provider tokens for storage. */
export type TokenVault = ReturnType<typeof createTokenVault>;

/** @param key 32 bytes, for this purpose alone. */
export function createTokenVault(key: Buffer) {
  const texts = createSealedTexts(key);
  const boundTo = ({ organizationId, provider, origin }: TokenPlace) =>
    JSON.stringify(['v1', organizationId, provider, origin]);
  return {
    seal: (token: string, place: TokenPlace): string => texts.seal(token, boundTo(place)),
    /** Undefined if it was sealed for another place or with another secret. */
    open: (sealed: string, place: TokenPlace): string | undefined => texts.open(sealed, boundTo(place)),
  };
}

const ellipsis = '…';

/**
 * Enough to recognize a token and too little to use it: a prefix such as `sk-` and the last four characters of a long
 * token.
 */
export function maskToken(token: string): string {
  if (token.length < 16) return ellipsis;
  const prefix = /^[a-z]{2,4}[-_]/i.exec(token)?.[0] ?? '';
  return `${prefix}${ellipsis}${token.slice(-4)}`;
}

/** Whether a token was sent back masked. No provider uses this character in tokens. */
export function isMasked(token: string): boolean {
  return token.includes(ellipsis);
}
