import { isRecognised, type PageText } from '@docwright/agent-core';
import type { ResponseFormat } from '@docwright/contract';
import { z } from 'zod';

/** The model's statements about the values of a result. They are checked where that is possible. */
interface Annotations {
  /** Paths of values whose recognised text looks misread. */
  uncertain: string[];
  /** By path, the words of the page from which a value was taken. */
  evidence: Record<string, string>;
}

/** The annotations to ask for. */
interface WantedAnnotations {
  uncertain: boolean;
  evidence: boolean;
}

const maxPaths = 200;
const path = z.string().min(1).max(1000);
const uncertainPaths = z.array(path).max(10_000);
const evidenceList = z.array(z.object({ path, words: z.string().min(1).max(2000) })).max(10_000);

/** The demo model and readers of a recorded request recognise annotation fields by this prefix. */
const descriptionPrefix = 'Beside the result:';

const fields = {
  uncertain: {
    type: 'array',
    items: { type: 'string' },
    description: `${descriptionPrefix} the paths (line_items.0.amount) of values whose text looks misread. Empty where none does.`,
  },
  evidence: {
    type: 'array',
    items: {
      type: 'object',
      properties: { path: { type: 'string' }, words: { type: 'string' } },
      required: ['path', 'words'],
      additionalProperties: false,
    },
    description: `${descriptionPrefix} for each value its path and the words of the page that it was taken from, with those before or after that tell it from others, copied as they stand there.`,
  },
} as const;

/** Recognised text can be misread, so the model is asked for doubtful values on recognised pages. */
export function wantedAnnotations(pages: readonly PageText[], evidence: boolean | undefined): WantedAnnotations {
  return { uncertain: pages.some(isRecognised), evidence: evidence === true };
}

/** Adds a field for each wanted annotation to the root of the schema, unless the schema has a field of that name. */
export function formatWithAnnotations(format: ResponseFormat, wanted: WantedAnnotations): ResponseFormat {
  const schema = format.json_schema.schema as { properties?: Record<string, unknown>; required?: string[] };
  const added = Object.entries(fields).filter(([name]) => isRequested(name, wanted) && !hasField(format, name));
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

/** The rules of a request about annotations. */
export function annotationRules(wanted: WantedAnnotations): string[] {
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
 * Splits an answer into the values and the annotations, which are at the root of the object or around it
 * (`{ result, uncertain }`). Drops annotations of paths that the result does not have.
 */
export function splitAnswer(
  answer: unknown,
  format: ResponseFormat | undefined,
): { result: unknown; isWrapped: boolean } & Annotations {
  const none = { uncertain: [], evidence: {}, isWrapped: false };
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return { result: answer, ...none };
  const { uncertain, evidence, ...values } = answer as Record<string, unknown>;
  const given = {
    uncertain: hasField(format, 'uncertain') ? undefined : uncertainPaths.safeParse(uncertain).data,
    evidence: hasField(format, 'evidence') ? undefined : evidenceList.safeParse(evidence).data,
  };
  const own: Record<string, unknown> = {
    ...values,
    ...(given.uncertain === undefined && uncertain !== undefined && { uncertain }),
    ...(given.evidence === undefined && evidence !== undefined && { evidence }),
  };
  const isWrapped =
    format !== undefined &&
    Object.keys(own).length === 1 &&
    typeof own['result'] === 'object' &&
    own['result'] !== null &&
    !hasField(format, 'result');
  const result = isWrapped ? own['result'] : own;
  const exists = (at: string) => hasPath(result, at);
  return {
    result,
    isWrapped,
    uncertain: [...new Set(given.uncertain)].filter(exists).slice(0, maxPaths),
    evidence: Object.fromEntries(
      (given.evidence ?? []).flatMap(({ path: at, words }) => (exists(at) ? [[at, words]] : [])),
    ),
  };
}

function isRequested(name: string, wanted: WantedAnnotations): boolean {
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
