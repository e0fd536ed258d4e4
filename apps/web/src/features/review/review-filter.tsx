import { useQuery } from '@tanstack/react-query';
import { ListFilter } from 'lucide-react';
import { promptsQuery, tagsQuery } from '../../shared/api/library-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Menu, MenuChoice, MenuChoices, MenuLabel, MenuLine } from '../../shared/ui/menu.tsx';
import { reasonLabels, riskLabel } from '../../shared/values/review-labels.ts';
import type { QueueFilter } from './queue/review-queue.ts';

interface ReviewFilterMenuProps {
  filter: QueueFilter;
  onFilter: (filter: QueueFilter) => void;
}

const chances = [0.1, 0.5];

/** Filters the queue by risk, prompt, tag and reason. */
export function ReviewFilterMenu({ filter, onFilter }: ReviewFilterMenuProps) {
  const count = Object.keys(filter).length;
  return (
    <Menu
      trigger={
        <Button size="small">
          <ListFilter aria-hidden className="size-4" />
          Filter{count > 0 && `: ${count}`}
        </Button>
      }
    >
      <Choices filter={filter} onFilter={onFilter} />
    </Menu>
  );
}

function Choices({ filter, onFilter }: ReviewFilterMenuProps) {
  const { orgId } = useSession();
  const prompts = useQuery(promptsQuery(orgId)).data?.prompts ?? [];
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const choose = (key: keyof QueueFilter) => (value: string) => {
    const { [key]: _former, ...others } = filter;
    const chosen = key === 'min_risk' ? Number(value) : value;
    onFilter(value === '' ? others : { ...others, [key]: chosen });
  };
  return (
    <>
      <MenuLabel>Chance that it is wrong</MenuLabel>
      <MenuChoices value={String(filter.min_risk ?? '')} onValueChange={choose('min_risk')}>
        <MenuChoice value="">Any</MenuChoice>
        {chances.map((chance) => (
          <MenuChoice key={chance} value={String(chance)}>
            {riskLabel(chance)} and more
          </MenuChoice>
        ))}
      </MenuChoices>
      <FilterGroup title="Prompt" all="Any prompt" value={filter.prompt_id} onChoose={choose('prompt_id')}>
        {prompts.map(({ prompt_id, name }) => ({ id: prompt_id, name }))}
      </FilterGroup>
      <FilterGroup title="Tag of the document" all="Any tag" value={filter.tag_id} onChoose={choose('tag_id')}>
        {tags.map(({ tag_id, name }) => ({ id: tag_id, name }))}
      </FilterGroup>
      <FilterGroup title="Reason" all="Any reason" value={filter.reason} onChoose={choose('reason')}>
        {Object.entries(reasonLabels).map(([id, name]) => ({ id, name }))}
      </FilterGroup>
    </>
  );
}

interface FilterGroupProps {
  title: string;
  all: string;
  value: string | undefined;
  onChoose: (value: string) => void;
  children: readonly { id: string; name: string }[];
}

function FilterGroup({ title, all, value = '', onChoose, children }: FilterGroupProps) {
  if (children.length === 0) return null;
  return (
    <>
      <MenuLine />
      <MenuLabel>{title}</MenuLabel>
      <MenuChoices value={value} onValueChange={onChoose}>
        <MenuChoice value="">{all}</MenuChoice>
        {children.map(({ id, name }) => (
          <MenuChoice key={id} value={id}>
            {name}
          </MenuChoice>
        ))}
      </MenuChoices>
    </>
  );
}
