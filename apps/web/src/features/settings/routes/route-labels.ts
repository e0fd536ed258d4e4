import { fileKinds, type Route, type RouteSimulation } from '@docwright/contract';
import { counted } from '../../../shared/formats/counted.ts';

/** The names of what routes refer to; what is not known any more has a name too. */
export interface RouteNames {
  tag: (id: string) => string;
  prompt: (id: string) => string;
  source: (id: string) => string;
}

/** “PDF” for its MIME type. */
export const kindLabel = (mimeType: string): string =>
  (fileKinds as Record<string, { label: string }>)[mimeType]?.label ?? mimeType;

/** The kinds of files that a route can ask for. */
export const kindOptions = Object.entries(fileKinds).map(([value, { label }]) => ({ value, label }));

const quoted = (words: readonly string[]) => words.map((word) => `“${word}”`).join(', ');

function pagesPart({ min, max }: NonNullable<Route['when']['pages']>): string {
  if (min !== undefined && max !== undefined) return min === max ? counted(min, 'page') : `${min} to ${max} pages`;
  if (max !== undefined) return `at most ${counted(max, 'page')}`;
  return `at least ${counted(min ?? 0, 'page')}`;
}

/** Which documents a route takes, in parts. */
export function whenParts({ when }: Pick<Route, 'when'>, names: RouteNames): string[] {
  const parts = [
    when.source_id !== undefined && `from ${names.source(when.source_id)}`,
    when.mime_types && when.mime_types.map(kindLabel).join(' or '),
    when.pages && pagesPart(when.pages),
    when.name_matches !== undefined && `name matches ${when.name_matches}`,
    when.text_contains && `text has ${quoted(when.text_contains)}`,
    ...Object.entries(when.metadata ?? {}).map(([key, pattern]) => `${key} matches ${pattern}`),
    when.like && `like the verified documents of ${names.prompt(when.like.prompt_id)}`,
    when.described_as !== undefined && `the model finds: “${when.described_as}”`,
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? ['every document'] : parts;
}

const splitParts = { propose: 'propose to split it', apply: 'split it where it is sure' };

/** What a document gets, in parts. */
export function thenParts({ then, stop }: Pick<Route, 'then' | 'stop'>, names: RouteNames): string[] {
  const { tag_ids = [], metadata = {}, name, never_to_model, split, on_arrival } = then;
  const parts = [
    tag_ids.length > 0 && `tag ${tag_ids.map(names.tag).join(', ')}`,
    on_arrival?.run_prompts === true && 'run the prompts of its tags',
    on_arrival?.auto_create === true && 'make a proposal',
    on_arrival && !on_arrival.run_prompts && on_arrival.auto_create !== true && 'run no prompts',
    name !== undefined && `name it ${name}`,
    ...Object.entries(metadata).map(
      ([key, value]) => `set ${key} to ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
    split && splitParts[split],
    never_to_model === true && 'keep it from models',
    !stop && 'then try the next route',
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? ['nothing'] : parts;
}

export interface SimulatedGroup {
  label: string;
  tone: 'good' | 'warn' | 'neutral';
  documents: RouteSimulation['documents'];
}

/** Where the documents of a simulation would go: the routes in their order, then those without. */
export function simulatedGroups({ documents }: RouteSimulation, order: readonly string[]): SimulatedGroup[] {
  const routed = documents.filter(({ state }) => state !== 'unsure' && state !== 'none');
  const byRoutes = Map.groupBy(routed, ({ routes }) => routes.join(' + '));
  const place = (label: string) => {
    const at = order.findIndex((name) => label === name || label.startsWith(`${name} + `));
    return at < 0 ? order.length : at;
  };
  const groups = [...byRoutes].map(([label, found]) => ({ label, tone: 'good' as const, documents: found }));
  const rest = [
    {
      label: 'Unsure: a user decides',
      tone: 'warn' as const,
      documents: documents.filter(({ state }) => state === 'unsure'),
    },
    { label: 'No route', tone: 'neutral' as const, documents: documents.filter(({ state }) => state === 'none') },
  ];
  return [
    ...groups.toSorted((one, other) => place(one.label) - place(other.label)),
    ...rest.filter((group) => group.documents.length > 0),
  ];
}

/** How many of the documents this route would take, alone or with others. */
export const takenBy = ({ documents }: RouteSimulation, name: string): number =>
  documents.filter(({ state, routes }) => state !== 'unsure' && routes.includes(name)).length;
