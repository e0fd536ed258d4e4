import type { Tag } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { TagDot } from '../../shared/labels/tag-chips.tsx';

interface TagChoicesProps {
  /** Undefined while they load. */
  tags: Tag[] | undefined;
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** Which documents a prompt applies to: those with one of the chosen tags. */
export function TagChoices({ tags, chosen, onChange }: TagChoicesProps) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">Tags</legend>
      {tags?.length === 0 ? (
        <p className="text-sm text-ink-soft">
          There are no tags yet.{' '}
          <Link to="/tags" className="text-accent underline underline-offset-2">
            Make one
          </Link>{' '}
          and the prompt can apply to all documents that carry it.
        </p>
      ) : (
        <div className="flex min-h-8 flex-wrap gap-1.5">
          {tags?.map((tag) => {
            const has = chosen.includes(tag.tag_id);
            return (
              <label
                key={tag.tag_id}
                className="inline-flex h-8 max-w-full cursor-pointer items-center gap-2 rounded-md border border-line bg-raised px-2 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft"
              >
                <input
                  type="checkbox"
                  checked={has}
                  className="accent-[var(--accent)]"
                  onChange={() => onChange(has ? chosen.filter((id) => id !== tag.tag_id) : [...chosen, tag.tag_id])}
                />
                <TagDot tag={tag} />
                <span className="truncate">{tag.name}</span>
              </label>
            );
          })}
        </div>
      )}
      <p className="text-xs text-ink-faint">The prompt applies to documents with one of these tags.</p>
    </fieldset>
  );
}
