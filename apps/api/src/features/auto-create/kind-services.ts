import type { DocumentAgentServices } from '@docwright/agent-core';
import { DomainError, type ResponseFormat } from '@docwright/contract';
import { baseOfName, folded, kindKeyNamed } from './kinds/kind-words.ts';
import { fieldsOfSchema } from './kinds/kind-fields.ts';

interface KindServiceOptions {
  services: DocumentAgentServices;
  /** Runs creations one after the other, so that names are unique. */
  exclusively: <Value>(create: () => Promise<Value>) => Promise<Value>;
  /** Returns a name that is not used in the organization: the preferred one, or one with a number. */
  freeName: (kind: 'schema' | 'prompt', preferred: string) => Promise<string>;
  /** The existing prompt for the kind that a name denotes. */
  existingKind: (name: string) => Promise<{ name: string; prompt_revid: string } | undefined>;
}

/**
 * Restricts the services of a run that makes a proposal: created schemas and prompts are named after a kind that is not
 * there yet, without its issuer, get a unique name and have meaningful fields. The run can only change what it has created.
 */
export function kindServices({
  services,
  exclusively,
  freeName,
  existingKind,
}: KindServiceOptions): DocumentAgentServices {
  const created = new Set<string>();
  const { schemas, prompts, document } = services;

  async function nameFor(kind: 'schema' | 'prompt', preferred: string): Promise<string> {
    requireKindName(preferred, document.name);
    const name = kindKeyNamed(preferred) === undefined ? preferred : baseOfName(preferred);
    const existing = await existingKind(name);
    if (existing === undefined) return await freeName(kind, name);
    throw new DomainError(
      'conflict',
      'kind_exists',
      `The prompt "${existing.name}" already reads this kind of document from every issuer. Run the extraction with its prompt_revid ${existing.prompt_revid} and create nothing.`,
    );
  }

  function requireCreated(id: string, what: string): void {
    if (created.has(id)) return;
    throw new DomainError(
      'invalid',
      'not_created_here',
      `Other documents use this ${what}, so it stays as it is. Use it unchanged, or create another one.`,
    );
  }

  return {
    ...services,
    schemas: {
      ...schemas,
      async create(body, origin) {
        requireMeaningfulFields(body.response_format);
        return await exclusively(async () => {
          const schema = await schemas.create({ ...body, name: await nameFor('schema', body.name) }, origin);
          created.add(schema.schema_id);
          return schema;
        });
      },
      async update(schema_id, body, origin) {
        requireCreated(schema_id, 'schema');
        if (body.response_format) requireMeaningfulFields(body.response_format);
        return await schemas.update(schema_id, body, origin);
      },
    },
    prompts: {
      ...prompts,
      async create(body, origin) {
        return await exclusively(async () => {
          const prompt = await prompts.create({ ...body, name: await nameFor('prompt', body.name) }, origin);
          created.add(prompt.prompt_id);
          return prompt;
        });
      },
      async update(prompt_id, body, origin) {
        requireCreated(prompt_id, 'prompt');
        return await prompts.update(prompt_id, body, origin);
      },
    },
  };
}

const extension = /\.[a-z][a-z\d]{1,4}$/iu;

/** Refuses the name of the file, which does not describe other documents of the kind. */
function requireKindName(name: string, fileName: string): void {
  const plain = (text: string) =>
    folded(text)
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const stem = plain(fileName.replace(extension, ''));
  // Files have numbers or underscores in their names, kinds have neither: `Invoice` may come from `invoice.pdf`.
  const isPart = stem.length > 3 && plain(name).includes(stem);
  const isFile = extension.test(name.trim()) || (isPart && (/\d/u.test(stem) || name.includes('_')));
  if (!isFile) return;
  throw new DomainError(
    'invalid',
    'named_after_file',
    `"${name}" is named after the file. Name it after what a person would call the document, as in "Invoice".`,
  );
}

/** Field names without a meaning: `field_1`, `column2`, `value`. */
const meaningless =
  /^(?:(?:field|column|col|key|value|val|item|data|property|prop|text|string|line|x|y|z|[a-z])[_ -]?\d*|\d+)$/iu;

/** Refuses a schema without fields, or one most of whose field names have no meaning. */
function requireMeaningfulFields({ json_schema }: ResponseFormat): void {
  const fields = fieldsOfSchema(json_schema.schema);
  const nameless = fields.filter(({ path }) => meaningless.test(path.split('.').at(-1) ?? ''));
  const message =
    fields.length === 0
      ? 'The schema has no fields. Give it the fields that documents of this kind share.'
      : nameless.length * 2 > fields.length
        ? `The fields ${nameless
            .map(({ path }) => `"${path}"`)
            .slice(0, 5)
            .join(', ')} do not describe their values. Name each after its value, such as invoice_number.`
        : undefined;
  if (message !== undefined) throw new DomainError('invalid', 'schema_without_sense', message);
}
