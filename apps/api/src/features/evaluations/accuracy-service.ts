import type { AccuracyFigures, PromptAccuracy } from '@docwright/contract';
import { accuracy } from '@docwright/scorer';
import type { Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { StraightThroughSums } from '../review/index.ts';
import { places, type AccuracySums } from './accuracy-sums.ts';

interface AccuracyServiceDependencies {
  straightThrough: Pick<StraightThroughSums, 'ofPrompt'>;
  sums: Pick<AccuracySums, 'ofPrompt'>;
  promptsFor: (actor: Actor) => Pick<PromptService, 'get' | 'getCurrent'>;
}

/** Compares the original answers of models with the verified results of a prompt. Asks no model. */
export type AccuracyService = ReturnType<ReturnType<typeof createAccuracyService>>;

export function createAccuracyService(dependencies: AccuracyServiceDependencies) {
  const { straightThrough, sums, promptsFor } = dependencies;
  return (actor: Actor) => ({
    /** Throws `prompt_not_found`. */
    async ofPrompt(given: string): Promise<PromptAccuracy> {
      const prompts = promptsFor(actor);
      const { prompt_id } = await prompts.getCurrent(given);
      const [{ figures, isWhole }, { values, accepted, sampled, sampled_wrong, ...straight }] = await Promise.all([
        sums.ofPrompt(actor.organizationId, prompt_id),
        straightThrough.ofPrompt(actor.organizationId, prompt_id),
      ]);
      const groupsOf = (kind: string) =>
        Object.entries(figures).flatMap(([group, own]) =>
          group.startsWith(`${kind} `) && own.some((figure) => figure !== 0)
            ? [{ key: group.slice(kind.length + 1), ...presentFigures(own) }]
            : [],
        );
      const revisions = await Promise.all(
        groupsOf('revision').map(async ({ key: prompt_revid, ...own }) => ({
          prompt_revid,
          version: (await prompts.get(prompt_revid)).prompt_version,
          ...own,
        })),
      );
      return {
        ...(isWhole && straight.isWhole ? {} : { is_partial: true }),
        straight_through: { accepted, share: values === 0 ? 0 : accepted / values, sampled, sampled_wrong },
        overall: presentFigures(figures['overall'] ?? []),
        by_revision: revisions.toSorted((a, b) => a.version - b.version),
        by_field: groupsOf('field')
          .map(({ key: field, ...own }) => ({ field, ...own }))
          .toSorted((a, b) => (a.accuracy ?? 1) - (b.accuracy ?? 1)),
        by_model: groupsOf('model')
          .map(({ key: model, ...own }) => ({ model, ...own }))
          .toSorted((a, b) => b.documents_verified - a.documents_verified),
        by_month: groupsOf('month')
          .map(({ key: month, ...own }) => ({ month, ...own }))
          .toSorted((a, b) => a.month.localeCompare(b.month)),
      };
    },
  });
}

function presentFigures(figures: readonly number[]): AccuracyFigures {
  const at = (place: keyof typeof places) => figures[places[place]] ?? 0;
  const counts = { values: at('values'), correct: at('correct'), spurious: at('spurious') };
  return {
    documents_verified: at('documents'),
    values: counts.values,
    unseen: at('unseen'),
    correct: counts.correct,
    accuracy: accuracy(counts),
    untouched: at('untouched'),
  };
}
