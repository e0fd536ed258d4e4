import type { PageText } from '@docwright/agent-core';
import type { ResponseFormat } from '@docwright/contract';
import { z } from 'zod';

/** What a model may say beside the values of a result. Its word about them, which is checked where it can be. */
interface BesideResult {
  /** Paths of values whose recognised text looks misread. */
  uncertain: string[];
  /** By path, the words of the page that a value was taken from. */
  evidence: Record<string, string>;
}

/** What is asked for beside the values. */
export interface Wanted {
  uncertain: boolean;
  evidence: boolean;
}

const maxPaths = 200;
const path = z.string().min(1).max(1000);
const uncertainPaths = z.array(path).max(10_000);
const evidenceList = z.array(z.object({ path, words: z.string().min(1).max(2000) })).max(10_000);

/** The demo model and people who read a recorded request tell by this beginning that the field is none of the schema's. */
const beside = 'Beside the result:';

const fields = {
  uncertain: {
    type: 'array',
    items: { type: 'string' },
    description: `${beside} the paths (line_items.0.amount) of values whose text looks misread. Empty where none does.`,
  },
  evidence: {
    type: 'array',
    items: {
      type: 'object',
      properties: { path: { type: 'string' }, words: { type: 'string' } },
      required: ['path', 'words'],
      additionalProperties: false,
    },
    description: `${beside} for each value its path and the words of the page that it was taken from, with those before or after that tell it from others, copied as they stand there.`,
  },
} as const;

/** Recognised text may be misread: then the model is asked what looks so. */
export function wantedBeside(pages: readonly PageText[], evidence: boolean | undefined): Wanted {
  return { uncertain: pages.some(({ read_by }) => read_by === 'ocr'), evidence: evidence === true };
}

/** The schema with a field at its root for each thing that is asked for; what the schema has itself stays the schema's. */
export function formatWithBeside(format: ResponseFormat, wanted: Wanted): ResponseFormat {
  const schema = format.json_schema.schema as { properties?: Record<string, unknown>; required?: string[] };
  const added = Object.entries(fields).filter(([name]) => isAsked(name, wanted) && !hasField(format, name));
  if (added.length === 0) return format;
  const names = added.map(([name]) => name);
  return {
    ...format,
    json_schema: {
      ...format.json_schema,
      schema: {
        ...schema,
        properties: { ...schema.properties, ...Object.fromEntries(added) },
        required: [...(schema.required ?? []), ...names],
      },
    },
  };
}

/** What the rules of a request say of it. */
export function besideRules(wanted: Wanted): string[] {
  return [
    ...(wanted.uncertain
      ? [
          'Where recognised text looks misread, copy it all the same and name the path of the value in "uncertain", beside the fields.',
        ]
      : []),
    ...(wanted.evidence
      ? ['In "evidence", beside the fields, name for each value the words that it was taken from: { path, words }.']
      : []),
  ];
}

/**
 * An answer in its two parts: the values, and what was said beside them, at the root of the object or around it
 * (`{ result, uncertain }`). Paths that the result does not have are left out.
 */
export function partsOfAnswer(
  answer: unknown,
  format: ResponseFormat | undefined,
): { result: unknown; isWrapped: boolean } & BesideResult {
  const nothing = { uncertain: [], evidence: {}, isWrapped: false };
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return { result: answer, ...nothing };
  const { uncertain, evidence, ...values } = answer as Record<string, unknown>;
  const said = {
    uncertain: hasField(format, 'uncertain') ? undefined : uncertainPaths.safeParse(uncertain).data,
    evidence: hasField(format, 'evidence') ? undefined : evidenceList.safeParse(evidence).data,
  };
  const own: Record<string, unknown> = {
    ...values,
    ...(said.uncertain === undefined && uncertain !== undefined && { uncertain }),
    ...(said.evidence === undefined && evidence !== undefined && { evidence }),
  };
  const isWrapped =
    format !== undefined &&
    Object.keys(own).length === 1 &&
    typeof own['result'] === 'object' &&
    own['result'] !== null &&
    !hasField(format, 'result');
  const result = isWrapped ? own['result'] : own;
  const exists = (each: string) => hasPath(result, each);
  return {
    result,
    isWrapped,
    uncertain: [...new Set(said.uncertain)].filter(exists).slice(0, maxPaths),
    evidence: Object.fromEntries(
      (said.evidence ?? []).flatMap(({ path: at, words }) => (exists(at) ? [[at, words]] : [])),
    ),
  };
}

function isAsked(name: string, wanted: Wanted): boolean {
  return name === 'uncertain' ? wanted.uncertain : wanted.evidence;
}

function hasField(format: ResponseFormat | undefined, name: string): boolean {
  const { properties } = (format?.json_schema.schema ?? {}) as { properties?: Record<string, unknown> };
  return properties !== undefined && Object.hasOwn(properties, name);
}

function hasPath(value: unknown, dotted: string): boolean {
  let at = value;
  for (const key of dotted.replaceAll(/\[(\d+)\]/g, '.$1').split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false;
    at = (at as Record<string, unknown>)[key];
  }
  return true;
}
