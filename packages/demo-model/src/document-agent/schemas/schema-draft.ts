import { z } from 'zod';
import type { DocumentText } from '../../page/document-text.ts';
import { kindName } from '../../propose/document-kind.ts';
import { kindTitle } from '../../propose/kind-title.ts';
import type { ObjectSchema, Proposal } from '../../propose/propose-schema.ts';

export interface SchemaDraft {
  name: string;
  schema: ObjectSchema;
}

/** The proposal, named after the document's kind and file. */
export function firstDraft({ kind, schema }: Proposal, documentName: string): SchemaDraft {
  const title = sentenceCase(kindName(kind));
  const stem = documentName
    .replace(/\.[a-z0-9]{2,5}$/iu, '')
    .trim()
    .slice(0, 60);
  const namesKind = stem.toLowerCase().includes(kindName(kind));
  return { name: namesKind ? sentenceCase(stem) : `${title} ${stem}`.trim(), schema };
}

/** The proposal for all documents of the same kind and issuer, named after both. */
export function draftForKind(proposal: Proposal, document: DocumentText): SchemaDraft {
  return { name: kindTitle(proposal.kind, document), schema: proposal.schema };
}

/** The response format with the schema of a draft, as the tools that write schemas expect it. */
export function responseFormatOf(draft: SchemaDraft): Record<string, unknown> {
  const words = draft.name.toLowerCase().match(/[a-z0-9]+/gu) ?? ['document'];
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

export function promptContentFor({ kind }: Proposal): string {
  return `Extract the fields of the schema from this ${kindName(kind)}. Take values only from the pages. Write dates as YYYY-MM-DD and amounts as numbers. Leave a field null where the pages do not say it.`;
}

function sentenceCase(text: string): string {
  return (text[0] ?? '').toUpperCase() + text.slice(1);
}
