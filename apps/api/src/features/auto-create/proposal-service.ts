import { randomUUID } from 'node:crypto';
import {
  DomainError,
  type AcceptKindBody,
  type KindDecision,
  type Proposal,
  type RejectKindBody,
  type Tag,
} from '@docwright/contract';
import { newId } from '../../platform/database/object-id.ts';
import type { AuditLog } from '../audit/index.ts';
import type { ReadIncompleteResults } from '../documents/index.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { PromptContent, PromptRepository } from '../prompts/index.ts';
import type { Revision } from '../revisions/index.ts';
import type { SchemaRepository } from '../schemas/index.ts';
import type { TagService } from '../tags/index.ts';
import type { ProposalDecisions } from './decisions/decisions.ts';
import { baseOfName } from './kinds/kind-words.ts';
import { acceptTool } from './decisions/undo-acceptance.ts';
import { rejectTool } from './decisions/undo-rejection.ts';
import { fieldsOfSchema, fieldsWithValues, valueAt } from './kinds/kind-fields.ts';
import type {
  KindProposal,
  ProposedKindRepository,
  ProposedResult,
  WaitingDocument,
} from './proposed-kind-repository.ts';
import type { PageEnd, PageSelection } from '../../platform/database/page.ts';

interface ProposalServiceDependencies {
  proposedKinds: ProposedKindRepository;
  incompleteResults: ReadIncompleteResults;
  promptsOf: (organizationId: string) => Pick<PromptRepository, 'getCurrent'>;
  schemasOf: (organizationId: string) => Pick<SchemaRepository, 'get'>;
  decisions: Pick<ProposalDecisions, 'takeAll'>;
  tagsFor: (actor: Actor) => Pick<TagService, 'create' | 'list'>;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  auditOf: (organizationId: string) => AuditLog;
}

/** Proposals by kind in one organization. Throws `proposal_not_found` for a kind that never had a document. */
export type ProposalService = ReturnType<ReturnType<typeof createProposalService>>;

const maxDocuments = 500;
/** Documents of each kind in the list, which has no values: the more kinds, the fewer. */
const documentsInList = (kinds: number): number => Math.max(20, Math.min(200, Math.floor(1000 / Math.max(kinds, 1))));

/** Data of the documents of all listed kinds, by document id. */
interface DocumentData {
  results: ReadonlyMap<string, ProposedResult>;
  risks: ReadonlyMap<string, { risk: number; to_check: number }>;
  incomplete: Awaited<ReturnType<ReadIncompleteResults>>;
  withValues: boolean;
}

export function createProposalService(dependencies: ProposalServiceDependencies) {
  const { proposedKinds, incompleteResults, promptsOf, schemasOf, decisions, checkTags } = dependencies;
  return (actor: Actor) => {
    const { organizationId, userId } = actor;

    async function present(kinds: readonly KindProposal[], withValues: boolean): Promise<Proposal[]> {
      const ids = kinds.map(({ promptId }) => promptId);
      const limit = withValues ? maxDocuments : documentsInList(ids.length);
      const documents = await proposedKinds.documents(organizationId, ids, limit);
      const documentIds = documents.map(({ id }) => id);
      const [results, risks, incomplete, prompts] = await Promise.all([
        proposedKinds.results(organizationId, documents, { isReviewed: withValues }),
        proposedKinds.risks(organizationId, documents),
        incompleteResults(organizationId, documentIds),
        Promise.all(ids.map((id) => promptsOf(organizationId).getCurrent(id))),
      ]);
      const byKind = Map.groupBy(documents, ({ promptId }) => promptId);
      const presented = kinds.map(async (kind, at): Promise<Proposal[]> => {
        const prompt = prompts[at];
        // Without a prompt, which a user has deleted, the documents can only be decided one by one.
        const own = byKind.get(kind.promptId) ?? [];
        return prompt ? [await presentOne(kind, prompt, own, { results, risks, incomplete, withValues })] : [];
      });
      return (await Promise.all(presented)).flat();
    }

    async function presentOne(
      { promptId, documentCount }: KindProposal,
      { name, revid, content, review, created_at }: Revision<PromptContent>,
      documents: readonly WaitingDocument[],
      { results, risks, incomplete, withValues }: DocumentData,
    ): Promise<Proposal> {
      const { schema_revid, tag_ids } = content;
      const schema = schema_revid === undefined ? undefined : await schemasOf(organizationId).get(schema_revid);
      const fields = schema ? fieldsOfSchema(schema.content.json_schema.schema) : [];
      const foundIn = new Map(fields.map(({ path }) => [path, 0]));
      const proposed = documents.map(({ id, name: document_name }) => {
        const values: Record<string, string | number | boolean> = {};
        for (const field of fields) {
          const value = valueAt(results.get(id)?.result, field);
          if (value === undefined) continue;
          values[field.path] = value;
          foundIn.set(field.path, (foundIn.get(field.path) ?? 0) + 1);
        }
        const found = Object.keys(values).length;
        const incomplete_results = incomplete.get(id);
        return {
          document_id: id,
          document_name,
          found,
          of: fields.length,
          ...risks.get(id),
          ...(incomplete_results && { incomplete_results }),
          ...(withValues
            ? { values, paths_to_check: fieldsWithValues(fields, results.get(id)?.pathsToCheck ?? []) }
            : {}),
        };
      });
      return {
        id: promptId,
        kind: baseOfName(name),
        name,
        ...(schema_revid === undefined ? {} : { schema_revid }),
        prompt_revid: revid,
        accepted: review === undefined,
        tag_ids,
        documents: proposed,
        document_count: documentCount,
        fields: fields.map(({ path, title }) => ({
          path,
          title: title ?? titleOf(path),
          found_in: foundIn.get(path) ?? 0,
        })),
        created_at,
      };
    }

    async function requireMembers(id: string, documentIds: readonly string[] | undefined): Promise<void> {
      if ((await proposedKinds.count(organizationId, id)) === undefined) throw notFound();
      if (documentIds === undefined) return;
      const members = await proposedKinds.membersAmong(organizationId, id, documentIds);
      const missing = documentIds.filter((documentId) => !members.has(documentId));
      if (missing.length === 0) return;
      throw new DomainError(
        'invalid',
        'unknown_reference',
        `These documents do not belong to the proposal: ${missing.slice(0, 5).join(', ')}. Use the ids from GET …/proposals/${id}.`,
      );
    }

    /** Creates the tag, or returns the existing one, which an earlier attempt of the same decision might have created. */
    async function createOrFindTag({ name, color }: NonNullable<AcceptKindBody['new_tag']>): Promise<string> {
      const tags = dependencies.tagsFor(actor);
      try {
        return (await tags.create({ name, ...(color === undefined ? {} : { color }) })).tag_id;
      } catch (error) {
        if (!(error instanceof DomainError && error.code === 'tag_name_taken')) throw error;
        const existing = await findTag(tags, name);
        if (existing === undefined) throw error;
        return existing.tag_id;
      }
    }

    async function decide(
      id: string,
      status: KindDecision['status'],
      documentIds: readonly string[] | undefined,
      { tagId, includingVerified }: { tagId?: string | undefined; includingVerified?: boolean | undefined },
    ): Promise<KindDecision> {
      const decisionId = `api-${randomUUID()}`;
      const group = { organizationId, userId, promptId: id, documentIds, decisionId };
      const decided = await decisions.takeAll(group, { status, tagId, includingVerified });
      const entry_id = newId();
      await record(entry_id, decisionId, id, status, decided, tagId);
      const left = (await proposedKinds.count(organizationId, id)) ?? 0;
      return {
        id,
        status,
        document_ids: decided,
        left,
        ...(tagId === undefined ? {} : { tag_id: tagId }),
        ...(decided.length === 0 ? {} : { entry_id }),
      };
    }

    async function record(
      entryId: string,
      callId: string,
      id: string,
      status: KindDecision['status'],
      documentIds: string[],
      tagId: string | undefined,
    ): Promise<void> {
      if (documentIds.length === 0) return;
      const args = { proposal_id: id, document_ids: documentIds.slice(0, 100), tag_id: tagId };
      await dependencies.auditOf(organizationId).record([
        {
          id: entryId,
          kind: 'executed',
          actor: userId,
          callId,
          tool: status === 'accepted' ? acceptTool : rejectTool,
          arguments: JSON.stringify(args),
          success: true,
          origin: { kind: 'api' },
        },
      ]);
    }

    return {
      /** Kinds with the most documents first, without values. */
      async list(page: PageSelection): Promise<{ proposals: Proposal[]; document_count: number } & PageEnd> {
        const { kinds, end, documentCount } = await proposedKinds.list(organizationId, page);
        return { proposals: await present(kinds, false), ...end, document_count: documentCount };
      },
      /** Includes the values of every document. Throws `proposal_not_found` once all documents are decided. */
      async get(id: string): Promise<Proposal> {
        const documentCount = await proposedKinds.count(organizationId, id);
        const [proposal] = documentCount ? await present([{ promptId: id, documentCount }], true) : [];
        if (proposal === undefined) throw notFound();
        return proposal;
      },
      async accept(id: string, { tag_id, new_tag, document_ids }: AcceptKindBody): Promise<KindDecision> {
        requireWriter(actor);
        await requireMembers(id, document_ids);
        if (tag_id !== undefined) await checkTags(organizationId, [tag_id]);
        const tagId = new_tag === undefined ? tag_id : await createOrFindTag(new_tag);
        return await decide(id, 'accepted', document_ids, { tagId });
      },
      async reject(
        id: string,
        { document_ids, including_verified: includingVerified }: RejectKindBody,
      ): Promise<KindDecision> {
        requireWriter(actor);
        await requireMembers(id, document_ids);
        return await decide(id, 'rejected', document_ids, { includingVerified });
      },
    };
  };
}

async function findTag(tags: Pick<TagService, 'list'>, name: string): Promise<Tag | undefined> {
  const { tags: found } = await tags.list({ skip: 0, limit: 100, name_search: name });
  return found.find((tag) => tag.name.toLowerCase() === name.toLowerCase());
}

const acronyms = /(?<![a-z])(?:bic|gst|iban|id|isbn|ocr|pin|po|sku|ssn|swift|tin|url|vat)(?![a-z])/giu;

/** `invoice_number` → `Invoice number`, `vat_id` → `VAT ID`. */
function titleOf(path: string): string {
  const words = path
    .replaceAll(/[._]+/gu, ' ')
    .trim()
    .replaceAll(acronyms, (acronym) => acronym.toUpperCase());
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function notFound(): DomainError {
  return new DomainError('not_found', 'proposal_not_found', 'There is no such proposal.');
}
