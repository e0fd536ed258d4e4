import type { Document, Prompt, ResponseFormat } from '@docwright/contract';
import { agreesWithEmbedded, embeddedValues, type EmbeddedValues } from '@docwright/documents';
import { leafPaths } from '@docwright/review';

/** What the document says for machines about the fields that the prompt maps. */
export function embeddedIn(
  { machine_data = [] }: Pick<Document, 'machine_data'>,
  { machine_map = [] }: Pick<Prompt, 'machine_map'>,
  result: unknown,
  format: ResponseFormat | undefined,
): EmbeddedValues {
  return embeddedValues({ machineData: machine_data, map: machine_map, result, schema: format?.json_schema.schema });
}

/** Whether each value agrees with what the document says for machines. */
export function verdicts(result: unknown, embedded: EmbeddedValues['values']): Record<string, 'agrees' | 'differs'> {
  const known = leafPaths(result).filter(({ path }) => Object.hasOwn(embedded, path));
  return Object.fromEntries(
    known.map(({ path, value }) => [path, agreesWithEmbedded(value, embedded[path] ?? null) ? 'agrees' : 'differs']),
  );
}
