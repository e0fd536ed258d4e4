import type { FittingKind, FittingKinds } from './fitting-kinds.ts';
import { alike, likeness } from './kind-fit.ts';
import type { KindRepository } from './kind-repository.ts';
import { noWords, withDocument, type DocumentWords } from './kind-words.ts';

/** A run of one document, as far as kinds are concerned. */
interface EnteringRun {
  id: string;
  organizationId: string;
  documentId: string;
  /** How often it has waited for others before. */
  waits: number;
}

/** What a run works with, or the run whose end it waits for. */
type Entrance = { offered: FittingKind[] } | { waitsFor: string };

/** Lets one run at a time make a kind: documents that may be of it wait until it is there, and are offered it then. */
export interface KindGate {
  /** Before a run begins. Where nothing fits and nobody makes such a kind, the run is to make it. */
  enter(run: EnteringRun): Promise<Entrance>;
  /** Before a run creates something although kinds were offered; the run to wait for, where another makes such a kind. */
  waitsToCreate(run: EnteringRun): Promise<string | undefined>;
}

/** A run that has declined its offers this often creates its own kind and waits for no other run. */
const maxWaits = 20;
const maxWaitsToCreate = 2;

export function createKindGate(
  kinds: Pick<KindRepository, 'drafts' | 'addDraft' | 'removeDraft' | 'exclusively'>,
  fittingKinds: FittingKinds,
): KindGate {
  /** Undefined where the run makes the kind now. */
  async function othersDraft(run: EnteringRun, words: DocumentWords, most: number): Promise<string | undefined> {
    const drafts = await kinds.drafts(run.organizationId);
    if (drafts.some(({ runId }) => runId === run.id)) return undefined;
    const other = drafts.find((draft) => likeness(words, draft.words) >= alike);
    if (other !== undefined && run.waits < most) return other.runId;
    await kinds.addDraft(run.organizationId, run.id, withDocument(noWords, words));
    return undefined;
  }

  return {
    async enter(run) {
      const words = await fittingKinds.wordsOf(run.organizationId, run.documentId);
      return await kinds.exclusively(run.organizationId, async () => {
        const offered = await fittingKinds.find(run.organizationId, words);
        if (offered.length > 0) {
          await kinds.removeDraft(run.id);
          return { offered };
        }
        const waitsFor = await othersDraft(run, words, maxWaits);
        return waitsFor === undefined ? { offered } : { waitsFor };
      });
    },
    async waitsToCreate(run) {
      const words = await fittingKinds.wordsOf(run.organizationId, run.documentId);
      return await kinds.exclusively(run.organizationId, () => othersDraft(run, words, maxWaitsToCreate));
    },
  };
}
