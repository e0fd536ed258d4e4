import type { createPromptBody, Prompt, updatePromptBody } from '@docwright/contract';
import type { z } from 'zod';
import type { ChosenSchema } from './schema-choice.tsx';

/** The form of a prompt; an empty model is the organization's default. */
export interface PromptFields {
  name: string;
  content: string;
  schema: ChosenSchema;
  model: string;
  tagIds: string[];
}

export function promptFields(prompt: Prompt | undefined): PromptFields {
  return {
    name: prompt?.name ?? '',
    content: prompt?.content ?? '',
    schema: { id: prompt?.schema_id ?? '', version: prompt?.schema_version },
    model: prompt?.model ?? '',
    tagIds: prompt?.tag_ids ?? [],
  };
}

interface PromptBodies {
  create: z.input<typeof createPromptBody>;
  update: z.input<typeof updatePromptBody>;
}

/** What the form sends; for a change, null takes the schema or the model away. */
export function promptBody({ name, content, schema, model, tagIds }: PromptFields): PromptBodies {
  const both = { name: name.trim(), content, tag_ids: tagIds };
  const chosen =
    schema.id === ''
      ? {}
      : { schema_id: schema.id, ...(schema.version === undefined ? {} : { schema_version: schema.version }) };
  return {
    create: { ...both, ...chosen, ...(model === '' ? {} : { model }) },
    update: { ...both, schema_id: null, ...chosen, model: model === '' ? null : model },
  };
}
