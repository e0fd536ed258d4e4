import type { ObjectId } from 'mongodb';

/** The prompt of the results. */
interface Owner {
  organization_id: ObjectId;
  prompt_id: string;
  prompt_revid: string;
}

const trashedEvery = 100;
const replacedEvery = 200;
const dayMs = 24 * 3_600_000;
/** The trash is emptied after 30: a start would work on that for hours instead of being idle. */
const daysOfTrash = 20;

/**
 * What stages, routes, releases and versions of a document say, besides its state: about one in four is verified, one in eight
 * released, one in a hundred in the trash, since the days before the filling. The rest is the same in every run.
 */
export function marksOf(index: number, id: ObjectId, { organization_id, ...prompt }: Owner, date: Date) {
  const isVerified = index % 4 === 0;
  return {
    review: { to_check: index % 4 === 1 ? 1 : 0, is_verified: isVerified, is_incomplete: index % 97 === 0 },
    releases: [{ ...prompt, version: 1, state: index % 8 === 0 ? 'released' : 'open' }],
    routing: { state: routingOf(index), route_ids: [], why: 'A rule says so.', by: 'rule' },
    ...(index % trashedEvery === 11 && {
      deleted_at: new Date(Date.now() - (index % daysOfTrash) * dayMs),
      deleted_by_call: null,
    }),
    ...(index % replacedEvery === 5 && { replaced_by: id, replaced_in: organization_id }),
    ...(index % trashedEvery === 3 && { missing_since: date }),
  };
}

function routingOf(index: number): string {
  if (index % 50 === 8) return 'unsure';
  if (index % 50 === 9) return 'waiting_split';
  return index % 10 < 7 ? 'routed' : 'none';
}
