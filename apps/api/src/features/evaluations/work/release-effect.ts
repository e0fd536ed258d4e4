import type { Schema } from '@docwright/contract';
import { groundResult, type Page } from '@docwright/documents';
import { formatValidator } from '../../extractions/index.ts';
import type { Actor } from '../../identity/index.ts';
import { parseChecks, type DataValidator } from '../../schemas/index.ts';
import type { ActivePolicy } from '../../release/index.ts';
import { factsOfAnswer, reviewedValues, type ReviewReader } from '../../value-risk/index.ts';
import type { MeasuredSetup } from '../records/evaluation-model.ts';

/** Whether the release policy of the prompt would release the results of a document, by their risk and checks alone. */
export interface ReleaseEffect {
  before: boolean;
  after: boolean;
}

interface EffectDependencies {
  activePolicy: (organizationId: string, promptId: string) => Promise<ActivePolicy | undefined>;
  readerOf: (organizationId: string) => ReviewReader;
  schemasFor: (actor: Actor) => { get(schema_revid: string): Promise<Schema> };
  validateData: DataValidator;
}

interface MeasuredResults {
  actor: Actor;
  promptId: string;
  documentId: string;
  pages: readonly Page[];
  before: { setup: MeasuredSetup; result: unknown };
  after: { setup: MeasuredSetup; result: unknown };
}

/** Places of all values are searched: longer documents take too long for an evaluation. */
const maxPages = 30;

/** Computes the effect of a change on the release of a document; undefined unless the policy of the prompt is active. */
export function createReleaseEffect(dependencies: EffectDependencies) {
  const validate = formatValidator(dependencies.validateData);
  return async ({
    actor,
    promptId,
    documentId,
    pages,
    ...sides
  }: MeasuredResults): Promise<ReleaseEffect | undefined> => {
    const policy = await dependencies.activePolicy(actor.organizationId, promptId);
    if (policy === undefined || pages.length > maxPages) return undefined;
    const rules = { ...(await dependencies.readerOf(actor.organizationId).rules(promptId)), policy: null };
    const text = pages.map((page) => page.text).join('\n');
    async function isReleased({ setup, result }: MeasuredResults['before']): Promise<boolean> {
      const { response_format, schema_revid } = setup;
      const schema = schema_revid === undefined ? undefined : await dependencies.schemasFor(actor).get(schema_revid);
      const validation_errors = validate(response_format, result);
      const grounding = await groundResult(result, pages);
      const facts = await factsOfAnswer(
        { result, grounding, validation_errors },
        {
          pages,
          text,
          checks: schema ? parseChecks(schema.response_format, schema.checks) : [],
          ...(response_format && { schema: response_format.json_schema.schema }),
        },
      );
      if (validation_errors.length > 0 || facts.failed_checks.some(({ severity }) => severity === 'error'))
        return false;
      if (policy!.checksOnly) return true;
      const answered = { document_id: documentId, result, original_result: result, is_verified: false };
      return (await reviewedValues(answered, facts, rules)).every(
        ({ decidingRisk }) => decidingRisk <= policy!.threshold,
      );
    }
    return { before: await isReleased(sides.before), after: await isReleased(sides.after) };
  };
}
