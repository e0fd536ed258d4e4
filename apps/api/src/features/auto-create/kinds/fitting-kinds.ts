import type { PageRepository } from '../../documents/index.ts';
import type { PromptContent, PromptRepository } from '../../prompts/index.ts';
import type { Revision } from '../../revisions/index.ts';
import type { SchemaRepository } from '../../schemas/index.ts';
import { fieldsOfSchema } from '../proposal-fields.ts';
import { fitOf, fitting } from './kind-fit.ts';
import type { Kind, KindRepository } from './kind-repository.ts';
import { documentWords, noWords, withDocument, type DocumentWords } from './kind-words.ts';

/** A prompt that is there already, and fits a document. */
export interface FittingKind {
  promptId: string;
  prompt_revid: string;
  schema_revid?: string;
  name: string;
  /** False where it waits for a review itself. */
  accepted: boolean;
  fields: string[];
  /** From `fitting` to 1. */
  fit: number;
}

interface FittingKindDependencies {
  kinds: Pick<KindRepository, 'ofPrompts' | 'documentsOf' | 'addDocument'>;
  promptsOf: (organizationId: string) => Pick<PromptRepository, 'list'>;
  schemasOf: (organizationId: string) => Pick<SchemaRepository, 'get'>;
  pagesOf: (organizationId: string) => Pick<PageRepository, 'texts'>;
}

const pageSize = 100;
/** The prompts that changed last are looked at, this many at most. */
const maxPrompts = 300;
const maxOffered = 5;
const maxFields = 40;
/** Of a prompt that people extract with: documents from which its kind is learned. */
const learnedFrom = 3;

export interface FittingKinds {
  wordsOf(organizationId: string, documentId: string): Promise<DocumentWords>;
  /** The best first. */
  find(organizationId: string, words: DocumentWords, exceptPromptIds?: ReadonlySet<string>): Promise<FittingKind[]>;
}

export function createFittingKinds({ kinds, promptsOf, schemasOf, pagesOf }: FittingKindDependencies): FittingKinds {
  async function wordsOf(organizationId: string, documentId: string): Promise<DocumentWords> {
    const pages = await pagesOf(organizationId).texts(documentId);
    return documentWords(pages.map(({ text }) => text).join('\n'));
  }

  async function everyPrompt(organizationId: string): Promise<Revision<PromptContent>[]> {
    const found: Revision<PromptContent>[] = [];
    for (let skip = 0; skip < maxPrompts; skip += pageSize) {
      const { revisions } = await promptsOf(organizationId).list({ skip, limit: pageSize, review: 'any' });
      found.push(...revisions);
      if (revisions.length < pageSize) break;
    }
    return found;
  }

  /** A prompt that people made is known by the documents that they extracted with it. */
  async function learn(organizationId: string, promptId: string, documentIds: readonly string[] = []): Promise<Kind> {
    let words = noWords;
    for (const id of documentIds.slice(0, learnedFrom)) {
      const document = { id, words: await wordsOf(organizationId, id) };
      words = withDocument(words, document.words);
      await kinds.addDocument(organizationId, promptId, document);
    }
    return { promptId, words };
  }

  return {
    wordsOf,
    async find(organizationId, words, except = new Set()) {
      const prompts = (await everyPrompt(organizationId)).filter(({ artifact_id }) => !except.has(artifact_id));
      const known = await kinds.ofPrompts(
        organizationId,
        prompts.map(({ artifact_id }) => artifact_id),
      );
      const unknown = prompts.filter(({ artifact_id, review }) => review === undefined && !known.has(artifact_id));
      const extracted = await kinds.documentsOf(
        organizationId,
        unknown.map(({ artifact_id }) => artifact_id),
      );
      const schemas = schemasOf(organizationId);
      const found: FittingKind[] = [];
      for (const { artifact_id, revid, name, content, review } of prompts) {
        // A run is still at work on what it has created, and may fail.
        if (review === 'pending' && !known.has(artifact_id)) continue;
        const kind = known.get(artifact_id) ?? (await learn(organizationId, artifact_id, extracted.get(artifact_id)));
        const { schema_revid } = content;
        const isKnown = kind.words.documents > 0;
        if (isKnown && fitOf(words, { name, fields: [], words: kind.words }) < fitting) continue;
        const schema = schema_revid === undefined ? undefined : await schemas.get(schema_revid);
        const fields = schema ? fieldsOfSchema(schema.content.json_schema.schema) : [];
        const titles = fields.map(({ path, title }) => title ?? path);
        const fit = fitOf(words, { name, fields: titles, words: kind.words });
        if (fit < fitting) continue;
        found.push({
          promptId: artifact_id,
          prompt_revid: revid,
          ...(schema_revid === undefined ? {} : { schema_revid }),
          name,
          accepted: review === undefined,
          fields: fields.slice(0, maxFields).map(({ path }) => path),
          fit: Math.round(fit * 100) / 100,
        });
      }
      return found
        .toSorted((one, other) => other.fit - one.fit || Number(other.accepted) - Number(one.accepted))
        .slice(0, maxOffered);
    },
  };
}
