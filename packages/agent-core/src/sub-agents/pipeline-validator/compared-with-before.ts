import type { JsonObject, Pipeline } from '@docwright/contract';

const parts = ['parsers', 'extract', 'chunker', 'embedder'] as const;
const counts = ['tested', 'succeeded', 'failed', 'without_text', 'success_rate', 'assessment'] as const;

/** What has changed since the validation before: the parts of the pipeline, and each count that came out differently. */
export function comparedWithBefore(before: JsonObject, pipeline: Pipeline, report: JsonObject): JsonObject {
  const earlier = asObject(before['pipeline']);
  const changed = parts
    .map((part) => ({ part, before: earlier[part] ?? null, now: (asObject(pipeline)[part] ?? null) as never }))
    .filter(({ before: was, now }) => JSON.stringify(was) !== JSON.stringify(now));
  const figures = [
    ...counts.map((name) => ({ name, was: before[name], now: report[name] })),
    ...chunkFigures(before, report),
  ];
  return {
    pipeline: changed,
    results: Object.fromEntries(
      figures
        .filter(({ was, now }) => was !== undefined && JSON.stringify(was) !== JSON.stringify(now))
        .map(({ name, was, now }) => [name, { before: was!, now: now ?? null }]),
    ),
  };
}

function chunkFigures(before: JsonObject, report: JsonObject) {
  const was = asObject(before['chunks']);
  const now = asObject(report['chunks']);
  return [
    { name: 'chunks', was: was['count'], now: now['count'] },
    {
      name: 'median_chunk_characters',
      was: asObject(was['characters'])['median'],
      now: asObject(now['characters'])['median'],
    },
  ];
}

function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}
