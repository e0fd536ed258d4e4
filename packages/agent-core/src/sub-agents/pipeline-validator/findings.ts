import { DomainError, type Pipeline } from '@docwright/contract';
import { displayName, type EmitStep } from '../sub-agent-steps.ts';
import type { PipelineTrial, TrialRun, TriedDocument } from './services.ts';

/** The facts that the dry runs of the proposed pipeline have collected. */
export interface ValidationFindings {
  readonly pipeline: Pipeline;
  /** The last outcome of each document. */
  readonly tested: Map<string, TriedDocument>;
  readonly timings: Map<string, { total: number; slowest: number }>;
  /** Documents of the sample that are still being read. */
  readonly waiting: Set<string>;
  /** The results of other pipelines on tested documents. */
  readonly alternatives: Alternative[];
}

/** Another pipeline that was tried on documents of the dry runs; `failed_before` counts failures in the proposed one. */
interface Alternative {
  pipeline: Pipeline;
  tested: number;
  failed_before: number;
  failed: number;
  /** The outcome of each document. */
  documents: readonly TriedDocument[];
}

export function createValidationFindings(pipeline: Pipeline): ValidationFindings {
  return { pipeline, tested: new Map(), timings: new Map(), waiting: new Set(), alternatives: [] };
}

/** The services of the validator's tools. */
export interface PipelineValidatorServices {
  readonly trial: PipelineTrial;
  readonly findings: ValidationFindings;
  /** Emits the progress of a dry run. */
  readonly emitStep: EmitStep;
}

/** The name of a tested document for a step; `a document` if it is unknown. */
export function nameOfTested({ tested }: ValidationFindings, documentId: string): string {
  return displayName(tested.get(documentId)?.document_name ?? 'a document');
}

export function countRun({ tested, timings, waiting }: ValidationFindings, run: TrialRun): void {
  for (const document of run.documents) {
    const { document_id, failure } = document;
    if (failure?.category === 'not_read_yet') waiting.add(document_id);
    else {
      waiting.delete(document_id);
      tested.set(document_id, document);
    }
  }
  for (const [stage, { total, slowest }] of Object.entries(run.timings)) {
    const before = timings.get(stage) ?? { total: 0, slowest: 0 };
    timings.set(stage, { total: before.total + total, slowest: Math.max(before.slowest, slowest) });
  }
}

/** Returns a tested document. Throws for other documents, so that a call reaches no other source. */
export function testedDocument({ tested }: ValidationFindings, documentId: string): TriedDocument {
  const document = tested.get(documentId);
  if (document !== undefined) return document;
  throw new DomainError('invalid', 'not_tested', `${documentId} was in no dry run. Use ids from run_dry_run.`);
}

/** Failures by category, the most frequent first, with three examples each. */
export function failuresOf({ tested }: ValidationFindings) {
  const failed = [...tested.values()].flatMap(({ document_id, document_name, failure }) =>
    failure === undefined ? [] : [{ document_id, document_name, ...failure }],
  );
  return [...Map.groupBy(failed, ({ category }) => category)]
    .map(([category, found]) => ({ category, count: found.length, examples: found.slice(0, 3) }))
    .toSorted((a, b) => b.count - a.count);
}

/** The counts of all dry runs. `without_text` documents succeed, but a search will not find them. */
export function countsOf({ tested, waiting }: ValidationFindings) {
  const documents = [...tested.values()];
  const failed = documents.filter(({ failure }) => failure !== undefined).length;
  const succeeded = documents.length - failed;
  return {
    tested: documents.length,
    succeeded,
    failed,
    without_text: documents.filter(({ failure, chunks }) => failure === undefined && chunks.length === 0).length,
    waiting: waiting.size,
    rate: documents.length === 0 ? 0 : succeeded / documents.length,
  };
}
