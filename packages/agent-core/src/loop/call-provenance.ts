import type { Provenance, ToolCall } from '@docwright/contract';
import { labelArguments, type CallProvenance } from '../provenance/label-arguments.ts';
import { seenContent, type SeenContent } from '../provenance/seen-content.ts';
import type { FitCall } from './prepare-call.ts';
import type { TurnRun } from './turn-run.ts';

/** What the turn has seen by now, sorted when the first write asks for it: answers that only read do not pay for it. */
export function seenContentOnce<Services>(run: TurnRun<Services>): () => Promise<SeenContent> {
  let seen: Promise<SeenContent> | undefined;
  return () => (seen ??= readSeenContent(run));
}

async function readSeenContent<Services>({ profile, services, progress }: TurnRun<Services>): Promise<SeenContent> {
  const workingState = progress.workingState.get();
  const { mentions, model } = progress.start.settings;
  const given = await profile.givenContent?.({ services, workingState, model, mentions, history: progress.transcript });
  return seenContent(progress.transcript, profile.tools, given);
}

/** Where the arguments of a write came from; undefined for a call that only reads. */
export async function provenanceOf<Services>(
  { services }: TurnRun<Services>,
  { tool, args }: FitCall<Services>,
  seen: () => Promise<SeenContent>,
): Promise<CallProvenance | undefined> {
  if (tool.effect === 'read_only') return undefined;
  return labelArguments(tool, args, tool.implied?.(services) ?? {}, await seen());
}

/** As a call carries it to the outside. */
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

/** The same, read back from a call that the server stored. */
export function storedProvenance({
  provenance,
  passages = [],
  chosen_by_document = [],
}: ToolCall): CallProvenance | undefined {
  return provenance && { provenance, passages, chosenByDocument: chosen_by_document };
}

/** After a person wrote the arguments anew, what they changed is theirs. */
export function editedProvenance(
  known: CallProvenance | undefined,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): CallProvenance | undefined {
  if (known === undefined) return undefined;
  const isKept = (path: string): boolean => {
    const [top = ''] = path.split('.');
    return JSON.stringify(before[top]) === JSON.stringify(after[top]);
  };
  const kept = Object.entries(known.provenance).filter(([path]) => isKept(path));
  const changed = Object.keys(after).filter((name) => !isKept(name));
  const provenance: Provenance = {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(changed.map((name) => [name, ['person' as const]])),
  };
  return {
    provenance,
    passages: known.passages.filter(({ path }) => isKept(path)),
    chosenByDocument: known.chosenByDocument.filter(isKept),
  };
}
