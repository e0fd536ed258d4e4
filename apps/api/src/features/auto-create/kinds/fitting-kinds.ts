import type { PageRepository } from '../../documents/index.ts';
import type { PromptContent, PromptRepository } from '../../prompts/index.ts';
import type { Revision } from '../../revisions/index.ts';
import type { SchemaRepository } from '../../schemas/index.ts';
import { fieldsOfSchema } from './kind-fields.ts';
import { fitOf, minFit } from './kind-fit.ts';
import type { Kind, KindRepository } from './kind-repository.ts';
import { documentWords, noWords, sameNameKey, withDocument, type KindFeatures } from './kind-words.ts';

/** An existing prompt that fits a document. */
export interface FittingKind {
  promptId: string;
  prompt_revid: string;
  schema_revid?: string;
  name: string;
  /** False if the prompt itself is pending. */
  accepted: boolean;
  fields: string[];
  /** From `minFit` to 1. */
  fit: number;
}

interface FittingKindDependencies {
  kinds: Pick<KindRepository, 'ofPrompts' | 'documentsOf' | 'addDocument'>;
  promptsOf: (organizationId: string) => Pick<PromptRepository, 'list'>;
  schemasOf: (organizationId: string) => Pick<SchemaRepository, 'get'>;
  pagesOf: (organizationId: string) => Pick<PageRepository, 'texts'>;
}

const pageSize = 100;
/** How many prompts are compared: the last changed ones. */
const maxPrompts = 300;
const maxOffered = 5;
const maxFields = 40;
/** The number of documents from which the kind of a user's prompt is learned. */
const maxLearnedDocuments = 3;

export type FittingKinds = ReturnType<typeof createFittingKinds>;

export function createFittingKinds({ kinds, promptsOf, schemasOf, pagesOf }: FittingKindDependencies) {
  async function wordsOf(organizationId: string, documentId: string): Promise<KindFeatures> {
    const pages = await pagesOf(organizationId).texts(documentId);
    return documentWords(pages.map(({ text }) => text).join('\n'));
  }

  async function listPrompts(organizationId: string): Promise<Revision<PromptContent>[]> {
    const found: Revision<PromptContent>[] = [];
    for (let skip = 0; skip < maxPrompts; skip += pageSize) {
      const { revisions } = await promptsOf(organizationId).list({ skip, limit: pageSize, review: 'any' });
      found.push(...revisions);
      if (revisions.length < pageSize) break;
    }
    return found;
  }

  /** Learns the kind of a prompt that users created, from the documents that they extracted with it. */
  async function learn(organizationId: string, promptId: string, documentIds: readonly string[] = []): Promise<Kind> {
    let words = noWords;
    for (const id of documentIds.slice(0, maxLearnedDocuments)) {
      const document = { id, words: await wordsOf(organizationId, id) };
      words = withDocument(words, document.words);
      await kinds.addDocument(organizationId, promptId, document);
    }
    return { promptId, words };
  }

  return {
    wordsOf,
    /** Accepted ones first, then the best. */
    async find(
      organizationId: string,
      words: KindFeatures,
      except: ReadonlySet<string> = new Set(),
    ): Promise<FittingKind[]> {
      const prompts = (await listPrompts(organizationId)).filter(({ artifact_id }) => !except.has(artifact_id));
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
        // The run that created it is still active and might fail.
        if (review === 'pending' && !known.has(artifact_id)) continue;
        const kind = known.get(artifact_id) ?? (await learn(organizationId, artifact_id, extracted.get(artifact_id)));
        const { schema_revid } = content;
        const isKnown = kind.words.documents > 0;
        if (isKnown && fitOf(words, { name, fields: [], words: kind.words }) < minFit) continue;
        const schema = schema_revid === undefined ? undefined : await schemas.get(schema_revid);
        const fields = schema ? fieldsOfSchema(schema.content.json_schema.schema) : [];
        const titles = fields.map(({ path, title }) => title ?? path);
        const fit = fitOf(words, { name, fields: titles, words: kind.words });
        if (fit < minFit) continue;
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
      return found.toSorted((a, b) => Number(b.accepted) - Number(a.accepted) || b.fit - a.fit).slice(0, maxOffered);
    },
    /** The prompt of the kind that a name denotes, an accepted one first. Undefined for a new kind. */
    async named(organizationId: string, name: string): Promise<{ name: string; prompt_revid: string } | undefined> {
      const key = sameNameKey(name);
      if (key === undefined) return undefined;
      const same = (await listPrompts(organizationId)).filter((prompt) => sameNameKey(prompt.name) === key);
      const known = await kinds.ofPrompts(
        organizationId,
        same.map(({ artifact_id }) => artifact_id),
      );
      // A pending prompt of a run that is still active might be removed.
      const present = same.filter(({ artifact_id, review }) => review === undefined || known.has(artifact_id));
      const first = present.find(({ review }) => review === undefined) ?? present[0];
      return first && { name: first.name, prompt_revid: first.revid };
    },
  };
}
