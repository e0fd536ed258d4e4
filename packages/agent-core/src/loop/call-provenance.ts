import type { Provenance, ToolCall } from '@docwright/contract';
import { isOmissionNote } from '../history/trimmed-history.ts';
import { readSentences } from '../provenance/spoken-orders.ts';
import { readFillings } from '../provenance/filling.ts';
import { labelArguments, type CallProvenance } from '../provenance/label-arguments.ts';
import {
  indexPages,
  inSteps,
  noGivenContent,
  seenContentInSteps,
  type SeenContent,
} from '../provenance/seen-content.ts';
import type { ValidCall } from './prepare-call.ts';
import type { TurnRun } from './turn-run.ts';

/** The content that the turn has seen so far. It is indexed at the first write, so that answers that only read skip it. */
export function lazySeenContent<Services>(run: TurnRun<Services>): () => Promise<SeenContent> {
  let seen: Promise<SeenContent> | undefined;
  return () => (seen ??= readSeenContent(run));
}

async function readSeenContent<Services>({ profile, services, progress }: TurnRun<Services>): Promise<SeenContent> {
  const workingState = progress.workingState.get();
  const { mentions, model } = progress.start.settings;
  const given = await profile.givenContent?.({ services, workingState, model, mentions, history: progress.transcript });
  if (given?.pages !== undefined) await indexPages(given.pages);
  // The note in place of earlier messages is the product's, and says who said what: the messages themselves are sorted.
  // A correction quotes the model, which can quote a document.
  const transcript = progress.transcript.filter((each) => !isOmissionNote(each) && !progress.isOfProduct(each));
  const hasNote = progress.transcript.some(isOmissionNote);
  const { messages, isCut } = progress.start.leftOut ?? { messages: [], isCut: hasNote };
  const unknown = isCut ? [{ objects: [], texts: [], hasPicture: true }] : [];
  const content = { ...noGivenContent, ...given, read: [...(given?.read ?? []), ...unknown] };
  const seen = await inSteps(seenContentInSteps([...messages, ...transcript], profile.tools, content));
  // A long message is read once for all calls.
  await inSteps(readSentences(seen.ownWords));
  await inSteps(readFillings(seen));
  return seen;
}

/** The sources of a write's arguments; undefined for a read-only call. */
export async function provenanceOf<Services>(
  { services }: TurnRun<Services>,
  { tool, args }: ValidCall<Services>,
  seen: () => Promise<SeenContent>,
): Promise<CallProvenance | undefined> {
  if (tool.effect === 'read') return undefined;
  return labelArguments(tool, args, tool.implied?.(services) ?? {}, await seen());
}

/** Provenance in the form of the contract. */
export function emittedProvenance(
  known: CallProvenance | undefined,
): Pick<ToolCall, 'provenance' | 'passages' | 'chosen_by_document'> {
  if (known === undefined) return {};
  const { provenance, passages, chosenByDocument } = known;
  return {
    provenance,
    ...(passages.length > 0 && { passages: [...passages] }),
    ...(chosenByDocument.length > 0 && { chosen_by_document: [...chosenByDocument] }),
  };
}

/** Provenance of a stored call. */
export function storedProvenance({
  provenance,
  passages = [],
  chosen_by_document = [],
}: ToolCall): CallProvenance | undefined {
  return provenance && { provenance, passages, chosenByDocument: chosen_by_document };
}

/** Provenance after the user edited the arguments: the changed ones come from the user. */
export function editedProvenance(
  known: CallProvenance | undefined,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): CallProvenance | undefined {
  if (known === undefined) return undefined;
  const isUnchanged = (path: string): boolean => {
    const [top = ''] = path.split('.');
    return JSON.stringify(before[top]) === JSON.stringify(after[top]);
  };
  const unchanged = Object.entries(known.provenance).filter(([path]) => isUnchanged(path));
  const changed = Object.keys(after).filter((name) => !isUnchanged(name));
  const provenance: Provenance = {
    ...Object.fromEntries(unchanged),
    ...Object.fromEntries(changed.map((name) => [name, ['person' as const]])),
  };
  return {
    provenance,
    passages: known.passages.filter(({ path }) => isUnchanged(path)),
    chosenByDocument: known.chosenByDocument.filter(isUnchanged),
  };
}
