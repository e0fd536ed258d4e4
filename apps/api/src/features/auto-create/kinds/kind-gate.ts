import type { FittingKind, FittingKinds } from './fitting-kinds.ts';
import { likeness, minLikeness } from './kind-fit.ts';
import type { KindRepository } from './kind-repository.ts';
import { kindKeyNamed, noWords, withDocument, type KindFeatures } from './kind-words.ts';

/** A run of one document. */
interface EnteringRun {
  id: string;
  organizationId: string;
  documentId: string;
  /** How often it has waited for other runs. */
  waits: number;
}

/** The kinds offered to a run, or the run that it must wait for. */
type Entrance = { offered: FittingKind[] } | { waitsFor: string };

/** Lets one run at a time create a kind. Runs of similar documents wait for it, and the kind is offered to them. */
export type KindGate = ReturnType<typeof createKindGate>;

/** After so many waits a run creates its own kind. */
const maxWaits = 20;
const maxWaitsToCreate = 2;

export function createKindGate(
  kinds: Pick<KindRepository, 'drafts' | 'addDraft' | 'removeDraft' | 'exclusively'>,
  fittingKinds: FittingKinds,
) {
  /** Returns the run that drafts a similar kind. Undefined if this run creates the kind now. */
  async function findSimilarDraft(
    run: EnteringRun,
    words: KindFeatures,
    waitLimit: number,
  ): Promise<string | undefined> {
    const drafts = await kinds.drafts(run.organizationId);
    const others = drafts.filter(({ runId }) => runId !== run.id);
    const own = drafts.find(({ runId }) => runId === run.id);
    if (own && (words.kind === undefined || words.kind in own.words.kinds)) return undefined;
    const similar = others.find((draft) => likeness(words, draft.words) >= minLikeness);
    if (similar !== undefined && run.waits < waitLimit) {
      // Nobody waits for a run that itself waits.
      if (own) await kinds.removeDraft(run.id);
      return similar.runId;
    }
    await kinds.addDraft(run.organizationId, run.id, withDocument(noWords, words));
    return undefined;
  }

  return {
    /** Called before a run starts. If no kind fits and no other run creates a similar one, this run creates it. */
    async enter(run: EnteringRun): Promise<Entrance> {
      const words = await fittingKinds.wordsOf(run.organizationId, run.documentId);
      return await kinds.exclusively(run.organizationId, async () => {
        const offered = await fittingKinds.find(run.organizationId, words);
        if (offered.length > 0) {
          await kinds.removeDraft(run.id);
          return { offered };
        }
        const waitsFor = await findSimilarDraft(run, words, maxWaits);
        return waitsFor === undefined ? { offered } : { waitsFor };
      });
    },
    /**
     * Called before a run creates a schema or prompt of this name although it might have been offered a kind. Returns the run
     * to wait for: one that creates a kind that is similar or that a person would call the same.
     */
    async waitsToCreate(run: EnteringRun, name: string): Promise<string | undefined> {
      const { kind: seen, ...words } = await fittingKinds.wordsOf(run.organizationId, run.documentId);
      // The run has read the document: what it calls it says more than the words that were counted.
      const kind = kindKeyNamed(name) ?? seen;
      const named = kind === undefined ? words : { ...words, kind };
      return await kinds.exclusively(run.organizationId, () => findSimilarDraft(run, named, maxWaitsToCreate));
    },
  };
}
