import { DomainError, type Pipeline } from '@docwright/contract';
import { displayName, type EmitStep } from '../sub-agent-steps.ts';
import type { PipelineTrial, TrialRun, TriedDocument } from './services.ts';

/** What the dry runs of the proposed pipeline came to, whatever the model says of it later. */
export interface ValidationFindings {
  readonly pipeline: Pipeline;
  /** The last outcome of each document. */
  readonly tested: Map<string, TriedDocument>;
  readonly timings: Map<string, { total: number; slowest: number }>;
  /** Of the sample, but still being read: nothing is known of them. */
  readonly waiting: Set<string>;
  /** What other pipelines did for documents that were tested, the last ones. */
  readonly alternatives: Alternative[];
}

/** Another pipeline, tried on documents of the dry runs: how many of them failed in the proposed one, and in this. */
interface Alternative {
  pipeline: Pipeline;
  tested: number;
  failed_before: number;
  failed: number;
  /** What it made of each document. */
  documents: readonly TriedDocument[];
}

export function noProblems(pipeline: Pipeline): ValidationFindings {
  return { pipeline, tested: new Map(), timings: new Map(), waiting: new Set(), alternatives: [] };
}

/** What the validator's tools may reach. */
export interface PipelineValidatorServices {
  readonly trial: PipelineTrial;
  readonly findings: ValidationFindings;
  /** Emits the progress of a dry run. */
  readonly emitStep: EmitStep;
}

/** For a step: the name of a document that was tried, or that it is one. */
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

/** Only what a dry run has taken can be looked at: so the source is the only one in reach. */
export function testedDocument({ tested }: ValidationFindings, documentId: string): TriedDocument {
  const document = tested.get(documentId);
  if (document !== undefined) return document;
  throw new DomainError('invalid', 'not_tested', `${documentId} was in no dry run. Use ids from run_dry_run.`);
}

/** By category, the commonest first, three examples each. */
export function failuresOf({ tested }: ValidationFindings) {
  const failed = [...tested.values()].flatMap(({ document_id, document_name, failure }) =>
    failure === undefined ? [] : [{ document_id, document_name, ...failure }],
  );
  return [...Map.groupBy(failed, ({ category }) => category)]
    .map(([category, found]) => ({ category, count: found.length, examples: found.slice(0, 3) }))
    .toSorted((a, b) => b.count - a.count);
}

/** `without_text` came through, and nothing of them will be found. */
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
