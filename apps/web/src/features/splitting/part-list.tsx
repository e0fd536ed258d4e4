import type { SplitProposal, Tag } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Merge, Tags } from 'lucide-react';
import { tagsQuery } from '../../shared/api/library-api.ts';
import { TagChips, TagDot } from '../../shared/labels/tag-chips.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { inputClass } from '../../shared/ui/fields/text-field.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Menu, MenuCheck, MenuLabel } from '../../shared/ui/menu.tsx';
import { lastPages, type SplitPart } from './split-parts.ts';

interface PartListProps {
  parts: SplitPart[];
  proposed: SplitProposal['parts'];
  pageCount: number;
  onChange: (from: number, change: Partial<Omit<SplitPart, 'from'>>) => void;
  /** Joins a document with the one before it. */
  onJoin: (from: number) => void;
  onShow: (page: number) => void;
}

/** Lists the planned documents: name, tags, pages, and the reason for each start. */
export function PartList({ parts, proposed, pageCount, onChange, onJoin, onShow }: PartListProps) {
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const last = lastPages(parts, pageCount);
  return (
    <ol className="divide-y divide-line">
      {parts.map((part, index) => (
        <PartRow
          key={part.from}
          part={part}
          number={index + 1}
          lastPage={last[index]!}
          why={proposed.find(({ pages }) => pages[0]![0] === part.from)}
          tags={tags}
          onChange={(change) => onChange(part.from, change)}
          onJoin={() => onJoin(part.from)}
          onShow={() => onShow(part.from)}
        />
      ))}
    </ol>
  );
}

interface PartRowProps {
  part: SplitPart;
  number: number;
  lastPage: number;
  /** Undefined if the user set the start. */
  why: SplitProposal['parts'][number] | undefined;
  tags: Tag[];
  onChange: (change: Partial<Omit<SplitPart, 'from'>>) => void;
  onJoin: () => void;
  onShow: () => void;
}

/** A start with a lower probability is marked. */
const sureFrom = 0.8;

function PartRow({ part, number, lastPage, why, tags, onChange, onJoin, onShow }: PartRowProps) {
  const { from, name, tag_ids, is_left_out } = part;
  const range = from === lastPage ? `Page ${from}` : `Pages ${from}–${lastPage}`;
  const isUnsure = why !== undefined && why.probability < sureFrom;
  return (
    <li className="flex flex-col gap-1.5 px-3 py-2.5">
      <div className="flex items-center gap-2">
        <span
          aria-hidden
          className="flex h-5 min-w-5 items-center justify-center rounded-full bg-accent px-1 text-xs font-semibold text-on-accent"
        >
          {number}
        </span>
        <input
          aria-label={`Name of document ${number}`}
          value={name}
          maxLength={255}
          disabled={is_left_out}
          aria-invalid={name.trim() === ''}
          onChange={(event) => onChange({ name: event.target.value })}
          onFocus={onShow}
          className={classNames(inputClass, is_left_out && 'line-through')}
        />
        {tags.length > 0 && (
          <TagMenu number={number} tags={tags} tagIds={tag_ids} onChange={(next) => onChange({ tag_ids: next })} />
        )}
        <IconButton label={`Join document ${number} with the one before`} disabled={number === 1} onClick={onJoin}>
          <Merge className="size-4" />
        </IconButton>
      </div>
      <TagChips tagIds={tag_ids} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-soft">
        <span className="tabular-nums">{range}</span>
        <label className="inline-flex items-center gap-1.5">
          <input
            type="checkbox"
            checked={is_left_out}
            onChange={(event) => onChange({ is_left_out: event.target.checked })}
            className="size-3.5 accent-accent"
          />
          Leave out
        </label>
        {number > 1 && (
          <span className={isUnsure ? 'text-warn' : 'text-ink-faint'}>
            {why === undefined ? 'Set by hand' : `${why.reason} ${Math.round(why.probability * 100)} %`}
          </span>
        )}
      </div>
    </li>
  );
}

interface TagMenuProps {
  number: number;
  tags: Tag[];
  tagIds: string[];
  onChange: (tagIds: string[]) => void;
}

/** Chooses the tags of a document, which decide which prompts apply. */
function TagMenu({ number, tags, tagIds, onChange }: TagMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton label={`Tags of document ${number}`}>
          <Tags className="size-4" />
        </IconButton>
      }
    >
      <MenuLabel>Tags</MenuLabel>
      {tags.map((tag) => (
        <MenuCheck
          key={tag.tag_id}
          checked={tagIds.includes(tag.tag_id)}
          onSelect={(event) => event.preventDefault()}
          onCheckedChange={(isChecked) =>
            onChange(isChecked ? [...tagIds, tag.tag_id] : tagIds.filter((id) => id !== tag.tag_id))
          }
        >
          <TagDot tag={tag} />
          <span className="truncate">{tag.name}</span>
        </MenuCheck>
      ))}
    </Menu>
  );
}
