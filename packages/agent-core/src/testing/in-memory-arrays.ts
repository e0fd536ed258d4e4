import { DomainError } from '@docwright/contract';
import type { EvaluationService } from '../document-agent/context/services.ts';

/** The entry written last of those that match; DomainError `not_found` where there is none. */
export function newest<Item>(items: readonly Item[], matches: (item: Item) => boolean, what: string): Item {
  const found = items.findLast(matches);
  if (!found) throw new DomainError('not_found', `${what}_not_found`, `This ${what} is not there.`);
  return found;
}

/** Of revisions in the order they were written, the last of each thing. */
export function current<Item extends object>(revisions: readonly Item[], idKey: keyof Item): Item[] {
  return [...new Map(revisions.map((revision) => [revision[idKey], revision])).values()];
}

export function page<Plural extends string, Item>(
  plural: Plural,
  items: readonly Item[],
  nameOf: (item: Item) => string,
  query: { skip: number; limit: number; name_search?: string | undefined },
) {
  const wanted = query.name_search?.toLowerCase() ?? '';
  const matching = items.filter((item) => nameOf(item).toLowerCase().includes(wanted));
  const { skip, limit } = query;
  return { [plural]: matching.slice(skip, skip + limit), total_count: matching.length, skip, limit } as Record<
    Plural,
    Item[]
  > & { total_count: number; skip: number; limit: number };
}

/** The fields of a body that are given. */
export function defined<Body extends object>(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Body;
}

export function inUse(what: string): DomainError {
  return new DomainError('invalid', `${what}_in_use`, `This ${what} is in use. Take it off what uses it first.`);
}

/** Nothing is verified, so that nothing can be measured. */
export const nothingVerified: EvaluationService = {
  ofProposal: async () => undefined,
  measure: async () => {
    throw new DomainError('invalid', 'nothing_verified', 'No result of the prompt is verified yet.');
  },
};

/** Of an extraction that nobody has looked at. */
export const unreviewed = { is_edited: false, is_verified: false, issues: [], is_complete: true };

type Texts = ReadonlyMap<string, { page_num: number; text: string }[]>;

/** The texts of documents; `one` throws where there is none. */
export function readingOf(pages: Texts, one: (id: string) => unknown) {
  return {
    async text(id: string, page_num?: number) {
      one(id);
      return (pages.get(id) ?? []).filter((entry) => page_num === undefined || entry.page_num === page_num);
    },
    async *eachText(id: string) {
      one(id);
      yield* pages.get(id) ?? [];
    },
  };
}
