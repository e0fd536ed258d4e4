import type { Extraction } from '@docwright/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { promptQuery, promptsQuery } from '../../shared/api/library-api.ts';
import { formatMoment } from '../../shared/formats/format-document.ts';
import { NameInReview, pendingReview } from '../../shared/labels/review-mark.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Menu, MenuChoice, MenuChoices, MenuItem, MenuLabel, MenuLine } from '../../shared/ui/menu.tsx';
import { ChoiceButton } from '../../shared/ui/fields/choice.tsx';

const maxOffered = 12;

interface PromptChoiceProps {
  extraction: Extraction;
  extractions: Extraction[];
  disabled: boolean;
  onChoose: (promptRevid: string) => void;
  onRun: (promptRevid: string) => void;
}

/** Chooses the prompt whose values are shown, or runs another prompt. */
export function PromptChoice({ extraction, extractions, disabled, onChoose, onRun }: PromptChoiceProps) {
  const { orgId, canWrite } = useSession();
  const prompts = useQuery(promptsQuery(orgId)).data?.prompts ?? [];
  // Pending and deleted prompts are not in the list: their names come from their revisions.
  const unlisted = extractions.filter((each) => !prompts.some(({ prompt_id }) => prompt_id === each.prompt_id));
  const revisions = useQueries({ queries: unlisted.map((each) => promptQuery(orgId, each.prompt_revid)) });
  const loadedPrompts = [...prompts, ...revisions.flatMap(({ data }) => data ?? [])];
  const promptOf = (each: Extraction) => loadedPrompts.find(({ prompt_id }) => prompt_id === each.prompt_id);
  const ownName = (each: Extraction) => promptOf(each)?.name ?? 'Prompt';
  // Results of prompts with the same name also show when they were created.
  const nameOf = (each: Extraction) => {
    const alike = extractions.filter((other) => ownName(other) === ownName(each));
    return alike.length > 1 ? `${ownName(each)} · ${formatMoment(each.created_at)}` : ownName(each);
  };
  const noteOf = (each: Extraction) => {
    const current = promptOf(each)?.prompt_revid === each.prompt_revid;
    const pending = promptOf(each)?.review === 'pending';
    const notes = [
      pending && pendingReview,
      each.is_verified && 'verified',
      each.is_edited && 'edited',
      !current && 'earlier version',
    ];
    return notes.filter(Boolean).join(', ');
  };
  const others = prompts.filter(({ prompt_revid }) => !extractions.some((each) => each.prompt_revid === prompt_revid));
  return (
    <Menu
      align="start"
      trigger={
        <ChoiceButton disabled={disabled} className="relative mr-auto">
          <span className="sr-only">Prompt: </span>
          <NameInReview of={promptOf(extraction)}>{nameOf(extraction)}</NameInReview>
        </ChoiceButton>
      }
    >
      <MenuLabel>Values by</MenuLabel>
      <MenuChoices value={extraction.prompt_revid} onValueChange={onChoose}>
        {extractions.map((each) => (
          <MenuChoice key={each.prompt_revid} value={each.prompt_revid}>
            <span className="min-w-0">
              <span className="block truncate">{nameOf(each)}</span>
              {noteOf(each) !== '' && <span className="block text-xs text-ink-faint">{noteOf(each)}</span>}
            </span>
          </MenuChoice>
        ))}
      </MenuChoices>
      {canWrite && others.length > 0 && (
        <>
          <MenuLine />
          <MenuLabel>Run another prompt</MenuLabel>
          {others.slice(0, maxOffered).map((prompt) => (
            <MenuItem key={prompt.prompt_revid} onSelect={() => onRun(prompt.prompt_revid)}>
              <Play aria-hidden />
              <span className="truncate">{prompt.name}</span>
            </MenuItem>
          ))}
        </>
      )}
    </Menu>
  );
}
