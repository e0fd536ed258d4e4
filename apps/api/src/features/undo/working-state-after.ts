import { extractionForState } from '@docwright/agent-core';
import { DomainError, type WorkingState } from '@docwright/contract';
import { z } from 'zod';
import type { ExtractionService } from '../extractions/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { SchemaService } from '../schemas/index.ts';
import type { UndoPlan } from './undo-plan.ts';

export interface WorkingStateDependencies {
  schemas: (actor: Actor) => Pick<SchemaService, 'get' | 'getCurrent'>;
  prompts: (actor: Actor) => Pick<PromptService, 'get' | 'getCurrent'>;
  extractions: (actor: Actor) => Pick<ExtractionService, 'latest'>;
}

export type WorkingStateAfter = (actor: Actor, state: WorkingState, plan: UndoPlan) => Promise<WorkingState>;

const extractionReference = z.object({ document_id: z.string(), prompt_revid: z.string() });

/** The working state of a thread after an undo: undone records in their current revision, null for removed ones. */
export function createWorkingStateAfter(dependencies: WorkingStateDependencies): WorkingStateAfter {
  return async (actor, state, { steps }) => {
    const schemas = dependencies.schemas(actor);
    const prompts = dependencies.prompts(actor);
    const isUndone = (kind: string, id: string) => steps.some((step) => step.kind === kind && step.id === id);

    async function schemaRevid(revid: string): Promise<string> {
      const { schema_id } = await schemas.get(revid);
      return isUndone('schema', schema_id) ? (await schemas.getCurrent(schema_id)).schema_revid : revid;
    }
    async function promptRevid(revid: string): Promise<string> {
      const { prompt_id } = await prompts.get(revid);
      return isUndone('prompt', prompt_id) ? (await prompts.getCurrent(prompt_id)).prompt_revid : revid;
    }
    async function latestExtraction({ document_id, prompt_revid }: z.infer<typeof extractionReference>) {
      const latest = await dependencies.extractions(actor).latest(document_id, prompt_revid);
      return latest ? extractionForState(latest) : null;
    }
    const reference = extractionReference.safeParse(state.extraction);
    return {
      schema_revid: state.schema_revid && (await nullIfNotFound(schemaRevid(state.schema_revid))),
      prompt_revid: state.prompt_revid && (await nullIfNotFound(promptRevid(state.prompt_revid))),
      extraction: reference.success ? await nullIfNotFound(latestExtraction(reference.data)) : state.extraction,
    };
  };
}

async function nullIfNotFound<Value>(lookup: Promise<Value>): Promise<Value | null> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return null;
    throw error;
  }
}
