import { keptExtraction } from '@docwright/agent-core';
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

const keptReference = z.object({ document_id: z.string(), prompt_revid: z.string() });

/** What a thread goes on with after an undo: what was taken back as it is now, or nothing where it is gone. */
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
    async function extraction(kept: z.infer<typeof keptReference>): Promise<unknown> {
      const found = await dependencies.extractions(actor).latest(kept.document_id, kept.prompt_revid);
      return found ? keptExtraction(found) : null;
    }
    const kept = keptReference.safeParse(state.extraction);
    return {
      schema_revid: state.schema_revid === null ? null : await orNullIfMissing(schemaRevid(state.schema_revid)),
      prompt_revid: state.prompt_revid === null ? null : await orNullIfMissing(promptRevid(state.prompt_revid)),
      extraction: kept.success ? await orNullIfMissing(extraction(kept.data)) : state.extraction,
    };
  };
}

async function orNullIfMissing<Value>(looked: Promise<Value>): Promise<Value | null> {
  try {
    return await looked;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return null;
    throw error;
  }
}
