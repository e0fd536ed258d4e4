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
import type { ChosenDocument, DocumentChoiceRepository } from './document-choice-repository.ts';

export interface BulkEstimateDependencies {
  choicesOf: (actor: Actor) => DocumentChoiceRepository;
  prompts: (actor: Actor) => Pick<PromptService, 'getCurrent' | 'list'>;
  extractionRuns: (actor: Actor) => Pick<ExtractionRuns, 'estimate'>;
}

/** Shows what an extraction of many documents would do and cost, before it starts. Throws `unknown_reference`. */
export type EstimateBulk = (body: EstimateDocumentBulkBody) => Promise<BulkEstimate>;

/** So many documents of a prompt are read for the estimate; the others count as their mean. */
const maxSampled = 8;

export function createBulkEstimate(dependencies: BulkEstimateDependencies): (actor: Actor) => EstimateBulk {
  return (actor) => {
    const choices = dependencies.choicesOf(actor);
    const prompts = dependencies.prompts(actor);
    const { estimate } = dependencies.extractionRuns(actor);

    /** The newest prompt that shares a tag with a document, as a run of its own would choose. */
    function createOwnPrompt(): (document: ChosenDocument) => Promise<Prompt | undefined> {
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

    return async ({ query, document_ids, prompt_id }) => {
      const ids = document_ids ?? (await choices.find(query ?? {}, 'list', maxModelBulkDocuments));
      if (ids.length > maxModelBulkDocuments) throw tooMany();
      const documents = await choices.read(ids);
      const chosen = prompt_id === undefined ? undefined : await prompts.getCurrent(prompt_id).catch(asUnknownPrompt);
      const ownPrompt = createOwnPrompt();
      const groups = new Map<string, { prompt: Prompt; ids: string[] }>();
      const left = { duplicates: 0, without_prompt: 0, only_pending_proposal: 0 };
      for (const document of documents) {
        if (document.is_duplicate) {
          left.duplicates += 1;
          continue;
        }
        const prompt = chosen ?? (await ownPrompt(document));
        if (prompt === undefined) {
          if (document.is_proposed) left.only_pending_proposal += 1;
          else left.without_prompt += 1;
          continue;
        }
        const group = groups.get(prompt.prompt_id) ?? { prompt, ids: [] };
        group.ids.push(document.id);
        groups.set(prompt.prompt_id, group);
      }
      const by_prompt: BulkEstimate['by_prompt'] = [];
      for (const { prompt, ids: own } of groups.values()) {
        const { prompt_id: id, prompt_revid, name } = prompt;
        const cost = await costOf(own, prompt);
        by_prompt.push({ prompt_id: id, prompt_revid, name, documents: own.length, ...cost });
      }
      return { documents: documents.length, by_prompt, ...left };
    };
  };
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

function tooMany(): DomainError {
  const message = `The query matches more than ${maxModelBulkDocuments} documents, the limit of extract. Narrow it, for example by a tag.`;
  return new DomainError('invalid', 'too_many_documents', message);
}
