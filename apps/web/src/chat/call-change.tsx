import type { Preview } from '@docwright/contract';
import { ArrowRight } from 'lucide-react';
import { Notice } from '../ui/notice.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { callArguments } from './call-words.ts';
import type { ToolCard } from './chat-state.ts';
import { schemaInArguments } from './schema-rows.ts';
import { SchemaTable } from './schema-table.tsx';
import { TextDifference } from './text-difference.tsx';

/** What a call would change, or has changed, in a form that a person can judge. */
export function CallChange({ card }: { card: ToolCard }) {
  const args = callArguments(card);
  const preview = card.proposal?.preview;
  const schema = schemaInArguments(args);
  const content = args['content'];
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {preview && <PreviewNote preview={preview} />}
      {preview?.kind === 'difference' ? (
        <>
          <p className="text-xs text-ink-faint">{preview.title}</p>
          <TextDifference before={preview.before} after={preview.after} />
        </>
      ) : (
        <>
          {schema && <SchemaTable schema={schema} />}
          {typeof content === 'string' && (
            <ScrollBox label="Text of the prompt" className="px-3 py-2 text-sm whitespace-pre-wrap wrap-anywhere">
              {content}
            </ScrollBox>
          )}
        </>
      )}
      {card.name === 'update_extraction_field' && (
        <ValueChange
          {...(preview?.kind === 'field' ? { before: preview.old_value, page: preview.page_num } : {})}
          after={args['value']}
        />
      )}
    </div>
  );
}

function PreviewNote({ preview }: { preview: Preview }) {
  if (preview.kind === 'create') {
    const [first, ...others] = preview.collides_with;
    if (!first) return null;
    return (
      <Notice tone="warn">
        {others.length === 0 ? 'There is already one' : `There are already ${others.length + 1}`} called “{first.name}”.
        This would be another.
      </Notice>
    );
  }
  if (preview.kind === 'delete') {
    if (preview.dependents.length === 0) return <Notice>Nothing else depends on “{preview.name}”.</Notice>;
    const more = (preview.dependent_count ?? 0) - preview.dependents.length;
    return (
      <Notice tone="warn">
        “{preview.name}” is used by {preview.dependents.map(({ kind, name }) => `${kind} “${name}”`).join(', ')}
        {more > 0 && ` and ${more} more`}.
      </Notice>
    );
  }
  return null;
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'not given';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function ValueChange({ before, after, page }: { before?: unknown; after: unknown; page?: number | null }) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      {before !== undefined && (
        <>
          <s className="rounded-sm bg-bad-soft px-1.5 py-0.5 wrap-anywhere">{shown(before)}</s>
          <ArrowRight aria-label="becomes" className="size-3.5 text-ink-faint" />
        </>
      )}
      <span className="rounded-sm bg-good-soft px-1.5 py-0.5 font-medium wrap-anywhere">{shown(after)}</span>
      {page !== undefined && (
        <span className="text-xs text-ink-faint">{page === null ? 'not on the page' : `p. ${page}`}</span>
      )}
    </p>
  );
}
