import { wordsOf } from '../page/fold.ts';
import { objectSchema, type ObjectSchema } from '../propose/propose-schema.ts';

export interface SchemaDraft {
  name: string;
  schema: ObjectSchema;
}

/** What a person asks to be different about a proposed schema. */
export interface SchemaWishes {
  name?: string;
  without: string[];
}

export function wishesIn(text: string): SchemaWishes {
  const named =
    /\b(?:call(?:ed)?(?: it)?|name(?:d)?(?: it)?|with the name)\s+["“'„]?(?<name>[^"”'“\n.,;]{2,80})["”']?/iu.exec(
      text,
    );
  const without = [
    ...text.matchAll(
      /\b(?:without|leave out|drop|remove|omit|no|skip|ohne|sans)\s+(?:the\s+|any\s+)?(?<fields>[^.;\n]+)/giu,
    ),
  ];
  const fields = without.flatMap((match) =>
    (match.groups?.fields ?? '').split(/\s*(?:,|\band\b|\bor\b|\bund\b|\bet\b)\s*/iu),
  );
  const name = named?.groups?.name?.trim();
  return { ...(name === undefined ? {} : { name }), without: fields.map(wordsOf).filter((words) => words !== '') };
}

export function applyWishes(draft: SchemaDraft, wishes: SchemaWishes): SchemaDraft {
  const kept = Object.entries(draft.schema.properties).filter(
    ([property]) => !wishes.without.includes(wordsOf(property)),
  );
  return { name: wishes.name ?? draft.name, schema: objectSchema(Object.fromEntries(kept)) };
}
