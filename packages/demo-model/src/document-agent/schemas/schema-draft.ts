import { foldText } from '@docwright/language';
import { z } from 'zod';
import { kindName } from '../../propose/document-kind.ts';
import type { ObjectSchema, ProposedSetup } from '../../propose/propose-schema.ts';

export interface SchemaDraft {
  name: string;
  schema: ObjectSchema;
}

/** The proposal as a schema, named after the kind of document. */
export function draftOf({ name, schema }: ProposedSetup): SchemaDraft {
  return { name, schema };
}

/** The response format with the schema of a draft, as the tools that write schemas expect it. */
export function responseFormatOf(draft: SchemaDraft): Record<string, unknown> {
  const words = foldText(draft.name).match(/[a-z0-9]+/gu) ?? ['document'];
  const name = words.join('_').slice(0, 60);
  return { type: 'json_schema', json_schema: { name, strict: true, schema: draft.schema } };
}

/** The response format in arguments and results of the tools, as far as the rules read it. */
export const responseFormat = z.looseObject({
  json_schema: z.looseObject({ schema: z.looseObject({ properties: z.record(z.string(), z.unknown()) }) }),
});

/** The fields of a draft in words: `3 fields (title, date, total)`. */
export function fieldList({ schema }: SchemaDraft): string {
  const names = Object.keys(schema.properties);
  return `${names.length} field${names.length === 1 ? '' : 's'} (${names.join(', ')})`;
}

export function promptContentFor({ kind }: ProposedSetup): string {
  return `Extract the fields of the schema from this ${kindName(kind)}. Take values only from the pages. Write dates as YYYY-MM-DD and amounts as numbers. Leave a field null where the pages do not say it.`;
}
