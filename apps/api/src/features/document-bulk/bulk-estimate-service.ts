import {
  DomainError,
  maxModelBulkDocuments,
  type BulkEstimate,
  type EstimateDocumentBulkBody,
  type Prompt,
} from '@docwright/contract';
import type { ExtractionRuns } from '../extractions/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { BulkDocument, DocumentChoiceRepository } from './document-choice-repository.ts';

export interface BulkEstimateDependencies {
  choicesOf: (actor: Actor) => DocumentChoiceRepository;
  prompts: (actor: Actor) => Pick<PromptService, 'getCurrent' | 'list'>;
  extractionRuns: (actor: Actor) => Pick<ExtractionRuns, 'estimate'>;
}

export type EstimateBulk = BulkEstimates['estimate'];

/** What an extraction or a preparation of many documents would do. */
export type BulkEstimates = ReturnType<ReturnType<typeof createBulkEstimates>>;

/** So many documents of a prompt are read for the estimate; the others count as their mean. */
const maxSampled = 8;

export function createBulkEstimates(dependencies: BulkEstimateDependencies) {
  return (actor: Actor) => {
    const choices = dependencies.choicesOf(actor);
    const prompts = dependencies.prompts(actor);
    const { estimate } = dependencies.extractionRuns(actor);

    /** The newest prompt that shares a tag with a document, as a run of its own would choose. */
    function createOwnPrompt(): (document: BulkDocument) => Promise<Prompt | undefined> {
      const found = new Map<string, Promise<Prompt | undefined>>();
      return (document) => {
        if (document.tag_ids.length === 0) return Promise.resolve(undefined);
        const key = document.tag_ids.toSorted().join(' ');
        const known = found.get(key) ?? prompts.list({ document_id: document.id, skip: 0, limit: 1 }).then(firstOf);
        found.set(key, known);
        return known;
      };
    }

    /** Requests and SPU of documents, from a sample spread over them. Documents that cannot be extracted are left out. */
    async function costOf(ids: readonly string[], prompt: Prompt): Promise<Cost> {
      const sample = spread(ids, maxSampled);
      const cost: Cost = { requests: 0, spu_estimated: 0, sampled: 0 };
      for (const id of sample) {
        const known = await estimate(id, prompt.prompt_revid).catch(ignoreDomainError);
        if (known === undefined) continue;
        cost.requests += known.requests;
        cost.spu_estimated += known.spu_estimated;
        cost.sampled += 1;
      }
      const times = ids.length / Math.max(1, sample.length);
      return {
        requests: Math.round(cost.requests * times),
        spu_estimated: Math.round(cost.spu_estimated * times),
        sampled: cost.sampled,
      };
    }

    async function sortOut(chosen: readonly string[], { action, prompt_id }: Wanted): Promise<SortedDocuments> {
      const documents = await choices.read(chosen);
      const named = prompt_id === undefined ? undefined : await prompts.getCurrent(prompt_id).catch(asUnknownPrompt);
      const ownPrompt = createOwnPrompt();
      const groups = new Map<string, PromptGroup>();
      const sorted: SortedDocuments = {
        documents: documents.length,
        groups: [],
        prepared: [],
        left: { duplicates: 0, without_text: 0, without_prompt: 0, only_pending_proposal: 0 },
      };
      for (const document of documents) {
        if (document.is_duplicate) {
          sorted.left.duplicates += 1;
          continue;
        }
        if (document.has_no_text) {
          sorted.left.without_text += 1;
          continue;
        }
        if (action === 'auto_create') {
          if (document.is_proposed) sorted.left.only_pending_proposal += 1;
          else sorted.prepared.push(document.id);
          continue;
        }
        const prompt = named ?? (await ownPrompt(document));
        if (prompt === undefined) {
          if (document.is_proposed) sorted.left.only_pending_proposal += 1;
          else sorted.left.without_prompt += 1;
          continue;
        }
        const group = groups.get(prompt.prompt_id) ?? { prompt, ids: [] };
        group.ids.push(document.id);
        groups.set(prompt.prompt_id, group);
      }
      return { ...sorted, groups: [...groups.values()] };
    }

    /** What the documents will cost if they take as much as the last ones. */
    async function costOfPreparing(documents: number): Promise<NonNullable<BulkEstimate['prepared']>> {
      const known = await choices.spuOfPreparations();
      const sum = known.reduce((total, spu) => total + spu, 0);
      const spu_estimated = known.length === 0 ? null : Math.round((sum / known.length) * documents);
      return { documents, spu_estimated, sampled: known.length };
    }

    return {
      /** What it would do and cost, before it starts. Throws `unknown_reference`, `too_many_documents`. */
      async estimate({ query, document_ids, action, prompt_id }: EstimateDocumentBulkBody): Promise<BulkEstimate> {
        const ids = document_ids ?? (await choices.find(query ?? {}, 'list', maxModelBulkDocuments));
        if (ids.length > maxModelBulkDocuments) throw tooMany(action ?? 'extract');
        const { documents, groups, prepared, left } = await sortOut(ids, { action, prompt_id });
        const by_prompt: BulkEstimate['by_prompt'] = [];
        for (const { prompt, ids: own } of groups) {
          const { prompt_id: id, prompt_revid, name } = prompt;
          const cost = await costOf(own, prompt);
          by_prompt.push({ prompt_id: id, prompt_revid, name, documents: own.length, ...cost });
        }
        return {
          documents,
          by_prompt,
          ...(action === 'auto_create' && { prepared: await costOfPreparing(prepared.length) }),
          ...left,
        };
      },
      /** The documents among `chosen` that the estimate does not leave out, in their order. Throws `unknown_reference`. */
      async estimated(chosen: readonly string[], wanted: Wanted): Promise<string[]> {
        const { groups, prepared } = await sortOut(chosen, wanted);
        const ids = new Set([...prepared, ...groups.flatMap((group) => group.ids)]);
        return chosen.filter((id) => ids.has(id.toLowerCase()));
      },
    };
  };
}

type Wanted = Pick<EstimateDocumentBulkBody, 'action' | 'prompt_id'>;

interface PromptGroup {
  prompt: Prompt;
  ids: string[];
}

interface SortedDocuments {
  documents: number;
  /** For an extraction. */
  groups: PromptGroup[];
  /** For a preparation. */
  prepared: string[];
  left: Pick<BulkEstimate, 'duplicates' | 'without_text' | 'without_prompt' | 'only_pending_proposal'>;
}

type Cost = Pick<BulkEstimate['by_prompt'][number], 'requests' | 'spu_estimated' | 'sampled'>;

const firstOf = ({ prompts }: { prompts: Prompt[] }): Prompt | undefined => prompts[0];

/** At most `max` items at equal distances. */
function spread(ids: readonly string[], max: number): string[] {
  const step = Math.max(1, ids.length / max);
  return Array.from({ length: Math.min(max, ids.length) }, (_, at) => ids[Math.floor(at * step)] as string);
}

function ignoreDomainError(error: unknown): undefined {
  if (!(error instanceof DomainError)) throw error;
  return undefined;
}

function asUnknownPrompt(error: unknown): never {
  if (!(error instanceof DomainError && error.kind === 'not_found')) throw error;
  const message = 'There is no such prompt. Use a prompt_id from the list of prompts.';
  throw new DomainError('invalid', 'unknown_reference', message);
}

function tooMany(action: string): DomainError {
  const message = `The query matches more than ${maxModelBulkDocuments} documents, the limit of ${action}. Narrow it, for example by a tag.`;
  return new DomainError('invalid', 'too_many_documents', message);
}
