import { DomainError, type Pipeline } from '@docwright/contract';
import { shownName, type TellStep } from '../sub-agent-steps.ts';
import type { PipelineTrial, TrialRun, TriedDocument } from './services.ts';

/** What the dry runs of the proposed pipeline came to, whatever the model says of it later. */
export interface ValidationFindings {
  readonly pipeline: Pipeline;
  /** The last outcome of each document. */
  readonly tested: Map<string, TriedDocument>;
  readonly timings: Map<string, { total: number; slowest: number }>;
}

/** What the validator's tools may reach. */
export interface PipelineValidatorServices {
  readonly trial: PipelineTrial;
  readonly findings: ValidationFindings;
  /** Hears how far a dry run is. */
  readonly tell: TellStep;
}

/** For a step: the name of a document that was tried, or that it is one. */
export function nameOfTested({ tested }: ValidationFindings, documentId: string): string {
  return shownName(tested.get(documentId)?.document_name ?? 'a document');
}

export function countRun({ tested, timings }: ValidationFindings, run: TrialRun): void {
  for (const document of run.documents) tested.set(document.document_id, document);
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
