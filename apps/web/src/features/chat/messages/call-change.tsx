import type { Preview } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { FieldChange } from './field-change.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { ScrollBox } from '../../../shared/ui/scroll-box.tsx';
import { callArguments } from '../../../agent-ui/call-labels.ts';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';
import { schemaInArguments } from '../../../shared/values/schema-rows.ts';
import { SchemaTable } from '../../../shared/values/schema-table.tsx';

/** The difference comes with the first one. */
const TextDifference = lazy(async () => ({
  default: (await import('../../../shared/ui/text-difference.tsx')).TextDifference,
}));

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
          <Suspense fallback={<Spinner label="Loading the difference" className="text-ink-faint" />}>
            <TextDifference before={preview.before} after={preview.after} />
          </Suspense>
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
        <FieldChange preview={preview?.kind === 'field' ? preview : undefined} value={args['value']} />
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
  return preview.kind === 'delete' ? <Dependents preview={preview} /> : null;
}

function Dependents({ preview }: { preview: Extract<Preview, { kind: 'delete' }> }) {
  const { name, dependents } = preview;
  if (dependents.length === 0) return <Notice>Nothing else depends on “{name}”.</Notice>;
  const more = (preview.dependent_count ?? 0) - dependents.length;
  return (
    <Notice tone="warn">
      <p>“{name}” is used by:</p>
      <ul className="max-h-40 list-disc overflow-auto pl-4">
        {dependents.map((dependent) => (
          <li key={`${dependent.kind}-${dependent.id}`}>
            {dependent.kind === 'document' ? (
              <Link to="/documents/$documentId" params={{ documentId: dependent.id }} className="underline">
                {dependent.name}
              </Link>
            ) : (
              dependent.name
            )}{' '}
            <span className="text-xs text-ink-soft">({dependent.kind})</span>
          </li>
        ))}
        {more > 0 && <li>{more} more</li>}
      </ul>
    </Notice>
  );
}
