import { calibrationSteps, leafPathSteps, type VerifiedDocument } from '@docwright/review';
import { compareResults } from '@docwright/scorer';
import { createSetAside } from '../../platform/jobs/set-aside.ts';
import { startHeartbeat } from '../../platform/leases/heartbeat.ts';
import { eachInSteps, inTurns, nextTurn } from '../../platform/long-values/in-turns.ts';
import type { FitClaim } from '../value-risk/index.ts';
import type { ReviewedResult, ReviewedResults } from './reviewed-result-repository.ts';

/** The newest values are used for a fit: current behaviour counts, and a fit takes less than half a second. */
const maxValues = 5_000;
const maxDocuments = 2_000;

/** The minimum time between two fits of one prompt: constant reviewing must not keep a processor busy. */
const fitIntervalMs = 20_000;

/** A third of the lease of a fit. */
const renewEveryMs = 20_000;

interface CalibrationDependencies {
  results: Pick<ReviewedResults, 'decided'>;
  queue: { claim(fitIntervalMs: number, except: readonly string[]): Promise<FitClaim | undefined> };
  /** Requests new risks for the open values of the prompt. */
  rescore: (organizationId: string, promptId: string) => Promise<void>;
  log: { error(fields: object, message: string): void };
}

/** Fits the risks of a prompt's values to the values that its organization verified; no data of others is used. */
export type CalibrationService = ReturnType<typeof createCalibrationService>;

export function createCalibrationService({ results, queue, rescore, log }: CalibrationDependencies) {
  const aside = createSetAside({ log, failure: 'the risks of a prompt could not be calibrated' });

  async function fit(claim: FitClaim): Promise<void> {
    const heartbeat = startHeartbeat(() => claim.renew(), renewEveryMs);
    try {
      const documents = await verifiedDocuments(results, claim);
      const { model, profiles, measurement } = await inTurns(calibrationSteps(documents));
      if (await claim.store({ model, profiles, calibration: measurement })) {
        await rescore(claim.organizationId, claim.promptId);
      }
    } finally {
      await heartbeat.stop();
    }
  }

  return {
    async work(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const claim = await queue.claim(fitIntervalMs, aside.ids());
        if (claim === undefined) return;
        await aside.work(claim.id, () => fit(claim));
      }
    },
  };
}

async function verifiedDocuments(
  results: Pick<ReviewedResults, 'decided'>,
  { organizationId, promptId }: Pick<FitClaim, 'organizationId' | 'promptId'>,
): Promise<VerifiedDocument[]> {
  const documents: VerifiedDocument[] = [];
  let values = 0;
  for await (const result of results.decided(organizationId, promptId, maxDocuments)) {
    const document = await verifiedDocument(result);
    documents.push(document);
    values += document.decidedPaths?.size ?? (await inTurns(leafPathSteps(document.originalResult))).length;
    if (values >= maxValues) break;
    await nextTurn();
  }
  return documents;
}

async function verifiedDocument({ extraction, facts }: ReviewedResult): Promise<VerifiedDocument> {
  const { document_id, result, original_result } = extraction;
  // The scorer compares with the model's answer as the truth: each value that users changed is then "fixed" by it.
  const { differences } = await compareResults({
    truth: original_result,
    before: result,
    after: original_result,
  });
  return {
    documentId: document_id,
    originalResult: original_result,
    originalSignals: facts.original_signals ?? facts.signals,
    result,
    wrongPaths: new Set(differences.filter(({ kind }) => kind === 'fixed').map(({ path }) => path)),
    ...(await decidedPaths(extraction, facts)),
  };
}

/** The paths of the values that count; all of them if nothing is returned. Values that nobody saw do not count. */
async function decidedPaths(
  { is_verified, result, original_result }: ReviewedResult['extraction'],
  { decisions, unseen = [] }: ReviewedResult['facts'],
): Promise<Pick<VerifiedDocument, 'decidedPaths'>> {
  if (is_verified && unseen.length === 0) return {};
  const ignored = new Set(unseen);
  const decided = new Set<string>();
  const note = (path: string): void => {
    if (!ignored.has(path)) decided.add(path);
  };
  if (is_verified) {
    for (const each of [result, original_result]) {
      await inTurns(eachInSteps(await inTurns(leafPathSteps(each)), ({ path }) => note(path)));
    }
  } else await inTurns(eachInSteps(Object.keys(decisions), note));
  return { decidedPaths: decided };
}
