import type { Schedule } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { matchingQuery } from '../../shared/api/runs-api.ts';
import { stateOptions } from '../../shared/formats/document-state-labels.ts';
import { TagChips } from '../../shared/labels/tag-chips.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { NextDue } from './next-due.tsx';
import { actionLabel } from './schedule-labels.ts';
import { capitalize } from '../../shared/formats/capitalize.ts';
import { timingLabel } from '../../shared/formats/timing-labels.ts';
import { usePromptName } from '../../shared/labels/use-prompt-name.ts';
import { counted } from '../../shared/formats/counted.ts';
import { Fact, FactList } from '../../shared/ui/fact-list.tsx';

/** Describes when a schedule runs, what it does and for which documents. */
export function ScheduleFacts({ schedule }: { schedule: Schedule }) {
  const { orgId } = useSession();
  const promptName = usePromptName();
  const { filter, prompt_id, max_documents, message } = schedule;
  const matching = { filter, ...(prompt_id === undefined ? {} : { prompt_id }) };
  const matched = useQuery(matchingQuery(orgId, matching)).data?.matched;
  const states = filter.states?.map((state) => stateOptions.find(({ value }) => value === state)?.label ?? state);
  const all = Object.keys(filter).length === 0;
  return (
    <FactList className={`${panelClass} p-3`}>
      <Fact term="When">{capitalize(timingLabel(schedule))}</Fact>
      <Fact term="Next due">
        <NextDue schedule={schedule} />
      </Fact>
      <Fact term="Does">{actionLabel(schedule, promptName)}</Fact>
      {message !== undefined && (
        <Fact term="Message">
          <span className="whitespace-pre-wrap">{message}</span>
        </Fact>
      )}
      {all && <Fact term="Documents">All of them</Fact>}
      {filter.tag_ids !== undefined && filter.tag_ids.length > 0 && (
        <Fact term="With all tags">
          <TagChips tagIds={filter.tag_ids} />
        </Fact>
      )}
      {states !== undefined && <Fact term="State">{states.join(', ')}</Fact>}
      {filter.name_search !== undefined && <Fact term="Name contains">“{filter.name_search}”</Fact>}
      {filter.without_result === true && (
        <Fact term="Only those">
          {prompt_id === undefined ? 'Without an extraction' : 'Without an extraction of the prompt'}
        </Fact>
      )}
      <Fact term="Matches now">{matched === undefined ? '…' : counted(matched, 'document')}</Fact>
      {max_documents !== undefined && <Fact term="At most">{counted(max_documents, 'document')} in one run</Fact>}
    </FactList>
  );
}
