import type { AccuracyFigures, PromptAccuracy } from '@docwright/contract';
import { leafPaths } from '@docwright/review';
import { accuracy, compareResultsYielding } from '@docwright/scorer';
import type { VerifiedResult, VerifiedResultRepository } from '../extractions/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { SchemaService } from '../schemas/index.ts';

/** Counts the values of all results of a prompt that its review policy accepts or samples. */
export type StraightThroughSums = (
  organizationId: string,
  promptId: string,
) => Promise<{ values: number; accepted: number; sampled: number; sampled_wrong: number }>;

interface AccuracyServiceDependencies {
  straightThrough: StraightThroughSums;
  verifiedOf: (organizationId: string) => Pick<VerifiedResultRepository, 'results'>;
  promptsFor: (actor: Actor) => Pick<PromptService, 'get' | 'getCurrent'>;
  schemasFor: (actor: Actor) => Pick<SchemaService, 'get'>;
}

/** Compares the original answers of models with the verified results of a prompt. Asks no model. */
export interface AccuracyService {
  /** Throws `prompt_not_found`. */
  ofPrompt(prompt_id: string): Promise<PromptAccuracy>;
}

export function createAccuracyService(dependencies: AccuracyServiceDependencies): (actor: Actor) => AccuracyService {
  return (actor) => ({
    async ofPrompt(prompt_id) {
      const prompts = dependencies.promptsFor(actor);
      const schemas = dependencies.schemasFor(actor);
      await prompts.getCurrent(prompt_id);
      const schemaOf = memoize(async (revid: string) => (await schemas.get(revid)).response_format.json_schema.schema);
      const overall = newSums();
      const groups = { revision: newGroups(), field: newGroups(), model: newGroups(), month: newGroups() };
      for await (const verified of dependencies.verifiedOf(actor.organizationId).results(prompt_id)) {
        const { total, fields } = await measure(
          verified,
          verified.schema_revid && (await schemaOf(verified.schema_revid)),
        );
        // Each revision keeps what users verified of it; elsewhere a document counts once, with its newest result.
        add(groups.revision(verified.prompt_revid), total);
        if (!verified.isNewest) continue;
        add(overall, total);
        add(groups.model(verified.model), total);
        add(groups.month(verified.created_at.toISOString().slice(0, 7)), total);
        for (const [field, counts] of fields) add(groups.field(field), counts);
      }
      const revisions = await Promise.all(
        groups.revision.all().map(async ([prompt_revid, sums]) => ({
          prompt_revid,
          version: (await prompts.get(prompt_revid)).prompt_version,
          ...figuresOf(sums),
        })),
      );
      const { values, accepted, sampled, sampled_wrong } = await dependencies.straightThrough(
        actor.organizationId,
        prompt_id,
      );
      return {
        straight_through: { accepted, share: values === 0 ? 0 : accepted / values, sampled, sampled_wrong },
        overall: figuresOf(overall),
        by_revision: revisions.toSorted((a, b) => a.version - b.version),
        by_field: groups.field
          .all()
          .map(([field, sums]) => ({ field, ...figuresOf(sums) }))
          .toSorted((a, b) => (a.accuracy ?? 1) - (b.accuracy ?? 1)),
        by_model: groups.model.all().map(([model, sums]) => ({ model, ...figuresOf(sums) })),
        by_month: groups.month
          .all()
          .map(([month, sums]) => ({ month, ...figuresOf(sums) }))
          .toSorted((a, b) => a.month.localeCompare(b.month)),
      };
    },
  });
}

interface Sums {
  documents: number;
  untouched: number;
  values: number;
  unseen: number;
  correct: number;
  spurious: number;
}
type AccuracyCounts = Pick<Sums, 'values' | 'unseen' | 'correct' | 'spurious'>;

const newSums = (): Sums => ({ documents: 0, untouched: 0, values: 0, unseen: 0, correct: 0, spurious: 0 });

function add(sums: Sums, { values, unseen, correct, spurious }: AccuracyCounts): void {
  sums.unseen += unseen;
  // A document of which nobody saw a value measures nothing.
  if (values === 0 && spurious === 0 && unseen > 0) return;
  sums.documents += 1;
  if (values === correct && spurious === 0) sums.untouched += 1;
  sums.values += values;
  sums.correct += correct;
  sums.spurious += spurious;
}

const figuresOf = (sums: Sums): AccuracyFigures => ({
  documents_verified: sums.documents,
  values: sums.values,
  unseen: sums.unseen,
  correct: sums.correct,
  accuracy: accuracy(sums),
  untouched: sums.untouched,
});

function newGroups() {
  const groups = new Map<string, Sums>();
  const sumsOf = (key: string): Sums => {
    const sums = groups.get(key) ?? newSums();
    groups.set(key, sums);
    return sums;
  };
  return Object.assign(sumsOf, { all: () => [...groups] });
}

async function measure({ result, original_result, unseen }: VerifiedResult, schema: unknown) {
  const { totals, fields } = await compareResultsYielding({
    truth: result,
    before: original_result,
    after: original_result,
    ...(schema ? { truthSchema: schema, candidateSchema: schema } : {}),
  });
  const answered = new Map(leafPaths(original_result).map(({ path, value }) => [path, value]));
  const unseenPaths = new Set(unseen);
  const unseenLeaves = leafPaths(result)
    .filter(({ path }) => unseenPaths.has(path))
    .map(({ path, field, value }) => ({ field, isSame: (answered.get(path) ?? null) === value }));
  const countsOf = (
    counts: Pick<typeof totals, 'values' | 'correct_after' | 'spurious_after'>,
    ignored: typeof unseenLeaves,
  ): AccuracyCounts => ({
    values: counts.values - ignored.length,
    unseen: ignored.length,
    correct: counts.correct_after - ignored.filter(({ isSame }) => isSame).length,
    spurious: counts.spurious_after,
  });
  const byField = Map.groupBy(unseenLeaves, ({ field }) => field);
  return {
    total: countsOf(totals, unseenLeaves),
    fields: fields.map((field) => [field.field, countsOf(field, byField.get(field.field) ?? [])] as const),
  };
}

function memoize<Value>(read: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const reads = new Map<string, Promise<Value>>();
  return (key) => {
    const reading = reads.get(key) ?? read(key);
    reads.set(key, reading);
    return reading;
  };
}
