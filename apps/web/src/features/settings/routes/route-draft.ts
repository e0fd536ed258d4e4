import type { OnArrival, Route, RouteThen, RouteWhen } from '@docwright/contract';
import type { RouteBody } from '../../../shared/api/arrival/routes-api.ts';

/** What a route starts: what its tags say, their prompts, a proposal, or nothing. */
export type StartsOnArrival = 'tags' | 'prompts' | 'proposal' | 'both' | 'nothing';

/** The form of a route; numbers and lists are texts, as they are typed. */
export interface RouteDraft {
  name: string;
  nameMatches: string;
  /** A line for each word or phrase. */
  words: string;
  mimeTypes: string[];
  /** A line for each key: `key: pattern`. */
  metadataPatterns: string;
  minPages: string;
  maxPages: string;
  sourceId: string;
  likePromptId: string;
  describedAs: string;
  tagIds: string[];
  newName: string;
  /** A line for each key: `key: value`. */
  metadata: string;
  neverToModel: boolean;
  split: '' | NonNullable<RouteThen['split']>;
  starts: StartsOnArrival;
  goesOn: boolean;
  trust: boolean;
  /** In percent. */
  confidence: string;
  enabled: boolean;
}

/** What each part of the form gets. */
export interface RoutePartProps {
  draft: RouteDraft;
  problems: Partial<Record<keyof RouteDraft, string>>;
  onChange: (part: Partial<RouteDraft>) => void;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const pairsText = (pairs: Record<string, unknown> = {}) =>
  Object.entries(pairs)
    .map(([key, value]) => `${key}: ${textOf(value)}`)
    .join('\n');

/** The pairs of lines `key: value`; undefined if a line has another form. */
export function pairsOf(text: string): Record<string, string> | undefined {
  const pairs: Record<string, string> = {};
  for (const line of linesOf(text)) {
    const at = line.indexOf(':');
    const value = line.slice(at + 1).trim();
    if (at <= 0 || value === '') return undefined;
    pairs[line.slice(0, at).trim()] = value;
  }
  return pairs;
}

const startsOf = (given: OnArrival | undefined): StartsOnArrival => {
  if (given === undefined) return 'tags';
  const { run_prompts, auto_create = false } = given;
  if (run_prompts) return auto_create ? 'both' : 'prompts';
  return auto_create ? 'proposal' : 'nothing';
};

/** The form of a route, empty for a new one. */
export function routeDraft(route?: Omit<Route, 'id' | 'position' | 'created_by' | 'updated_at'>): RouteDraft {
  const { when = {}, then = {} } = route ?? {};
  return {
    name: route?.name ?? '',
    nameMatches: when.name_matches ?? '',
    words: (when.text_contains ?? []).join('\n'),
    mimeTypes: when.mime_types ?? [],
    metadataPatterns: pairsText(when.metadata),
    minPages: when.pages?.min?.toString() ?? '',
    maxPages: when.pages?.max?.toString() ?? '',
    sourceId: when.source_id ?? '',
    likePromptId: when.like?.prompt_id ?? '',
    describedAs: when.described_as ?? '',
    tagIds: then.tag_ids ?? [],
    newName: then.name ?? '',
    metadata: pairsText(then.metadata),
    neverToModel: then.never_to_model ?? false,
    split: then.split ?? '',
    starts: startsOf(then.on_arrival),
    goesOn: route?.stop === false,
    trust: route?.trust ?? false,
    confidence: String(Math.round((route?.min_confidence ?? 0.9) * 1000) / 10),
    enabled: route?.enabled ?? true,
  };
}

/** Whether a model or the words of verified documents decide: then it matters how sure they are. */
export const isUncertain = ({ likePromptId, describedAs }: RouteDraft) =>
  likePromptId !== '' || describedAs.trim() !== '';

/** What keeps the form from being sent, by field. */
export function draftProblems(draft: RouteDraft): RoutePartProps['problems'] {
  const { metadataPatterns, metadata, minPages, maxPages, confidence } = draft;
  const percent = Number(confidence);
  return {
    ...(pairsOf(metadataPatterns) === undefined && { metadataPatterns: 'Write a line for each key: “key: pattern”.' }),
    ...(pairsOf(metadata) === undefined && { metadata: 'Write a line for each key: “key: value”.' }),
    ...(minPages !== '' &&
      maxPages !== '' &&
      Number(minPages) > Number(maxPages) && { maxPages: 'Less than the minimum.' }),
    ...(isUncertain(draft) && !(percent >= 50 && percent <= 100) && { confidence: 'From 50 to 100 %.' }),
  };
}

/** The request body of the form. Values of metadata that were no text and are unchanged keep their type. */
export function routeBody(draft: RouteDraft, former?: Route): RouteBody {
  const patterns = pairsOf(draft.metadataPatterns) ?? {};
  const given = former?.then.metadata ?? {};
  const metadata = Object.fromEntries(
    Object.entries(pairsOf(draft.metadata) ?? {}).map(([key, value]) => [
      key,
      Object.hasOwn(given, key) && textOf(given[key]) === value ? given[key] : value,
    ]),
  ) as NonNullable<RouteThen['metadata']>;
  const words = linesOf(draft.words);
  const min = draft.minPages === '' ? undefined : Number(draft.minPages);
  const max = draft.maxPages === '' ? undefined : Number(draft.maxPages);
  const when: RouteWhen = {
    ...(draft.nameMatches !== '' && { name_matches: draft.nameMatches }),
    ...(words.length > 0 && { text_contains: words }),
    ...(draft.mimeTypes.length > 0 && { mime_types: draft.mimeTypes }),
    ...(Object.keys(patterns).length > 0 && { metadata: patterns }),
    ...((min !== undefined || max !== undefined) && {
      pages: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) },
    }),
    ...(draft.sourceId !== '' && { source_id: draft.sourceId }),
    ...(draft.likePromptId !== '' && { like: { prompt_id: draft.likePromptId } }),
    ...(draft.describedAs.trim() !== '' && { described_as: draft.describedAs.trim() }),
  };
  const { starts } = draft;
  const then: RouteThen = {
    ...(draft.tagIds.length > 0 && { tag_ids: draft.tagIds }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(draft.newName.trim() !== '' && { name: draft.newName.trim() }),
    ...(draft.neverToModel && { never_to_model: true as const }),
    ...(draft.split !== '' && { split: draft.split }),
    ...(starts !== 'tags' && {
      on_arrival: {
        run_prompts: starts === 'prompts' || starts === 'both',
        ...((starts === 'proposal' || starts === 'both') && { auto_create: true }),
      },
    }),
  };
  return {
    name: draft.name.trim(),
    when,
    then,
    stop: !draft.goesOn,
    trust: draft.trust,
    min_confidence: isUncertain(draft) ? Number(draft.confidence) / 100 : 0.9,
    enabled: draft.enabled,
  };
}

/** A stored route as a body, for a simulation of routes that are not all saved. */
function savedRouteBody({ name, when, then, stop, trust, min_confidence, enabled }: Route): RouteBody {
  return { name, when, then, stop, trust, min_confidence, enabled };
}

/** The routes as they would be with this one: in its place, or last if it is new. */
export function routesWith(routes: readonly Route[], body: RouteBody, id: string | undefined): RouteBody[] {
  const isKnown = routes.some((route) => route.id === id);
  const bodies = routes.map((route) => (route.id === id ? body : savedRouteBody(route)));
  return isKnown ? bodies : [...bodies, body];
}

/** The ids in their order after a route has moved by one place. */
export function movedIds(ids: readonly string[], id: string, by: -1 | 1): string[] {
  const at = ids.indexOf(id);
  const to = at + by;
  if (at < 0 || to < 0 || to >= ids.length) return [...ids];
  const others = ids.filter((each) => each !== id);
  return [...others.slice(0, to), id, ...others.slice(to)];
}
