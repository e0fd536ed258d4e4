import { searchTerms, searchTermsInTurns } from '@docwright/language';

/**
 * The words of a text as the text index stores them. Text indexes of all databases that the product supports hold the
 * records of all organizations, so each word begins with a code of its organization: a search reads only its own entries.
 * Queries still name the organization, because codes are not unique.
 */
export function indexedTerms(organizationId: string, text: string, { prefixes = false } = {}): string {
  return inOrganization(organizationId, prefixes ? withPrefixes(searchTerms(text)) : searchTerms(text));
}

/** The same for the values of a result, found while they are being typed, with turns for other work between its words. */
export async function indexedTermsOfResult(organizationId: string, text: string): Promise<string> {
  return inOrganization(organizationId, withPrefixes(await searchTermsInTurns(text)));
}

/** The same for the text of a page, whose length is up to its document: with turns for other work between its words. */
export async function indexedTermsOfPage(organizationId: string, text: string): Promise<string> {
  return inOrganization(organizationId, await searchTermsInTurns(text));
}

const inOrganization = (organizationId: string, terms: Iterable<string>): string =>
  [...terms].map((term) => `${codeOf(organizationId)}${term}`).join(' ');

const maxTerms = 10;

/** The `$search` text that requires every word of a query; undefined if the query has no word. */
export function searchOf(organizationId: string, query: string): string | undefined {
  const terms = [...searchTerms(query)].slice(0, maxTerms);
  return terms.length === 0 ? undefined : terms.map((term) => `"${codeOf(organizationId)}${term}"`).join(' ');
}

const minPrefix = 3;
const maxPrefix = 16;

const withPrefixes = (terms: Iterable<string>): Set<string> =>
  new Set([...terms].flatMap((term) => [...prefixesOf(term), term]));

/** The beginnings of a word, so that it is found while it is being typed. */
function prefixesOf(term: string): string[] {
  const lengths = Math.max(0, Math.min(term.length - 1, maxPrefix) - minPrefix + 1);
  return Array.from({ length: lengths }, (_, at) => term.slice(0, minPrefix + at));
}

/** The end of an id differs between organizations that were created at the same time. */
function codeOf(organizationId: string): string {
  return `${organizationId.toLowerCase().slice(-8)}x`;
}
