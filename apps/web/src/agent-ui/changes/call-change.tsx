import type { Preview } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { Fragment, Suspense, use } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { ScrollBox } from '../../shared/ui/scroll-box.tsx';
import { callArguments } from '../call-labels.ts';
import type { ToolCard } from '../chat-state.ts';
import { PassageNote } from './passage-note.tsx';
import { isPlan } from './plan-draft.ts';
import { valueLabel } from './step-literals.ts';
import { schemaInArguments, schemaRows } from '../../shared/values/schema-rows.ts';
import { ArrowRight, LocateFixed } from 'lucide-react';
import { FieldFocusContext } from '../../shared/values/field-focus.tsx';
import type { JsonSchema } from '../../shared/values/field-shape.ts';
import { counted } from '../../shared/formats/counted.ts';
import { textLinkClass } from '../../shared/ui/text-link.ts';

/** Loaded with the first plan. */
const PlanSteps = lazyPart(async () => ({ default: (await import('./plan-steps.tsx')).PlanSteps }));

/** Loaded with the first difference. */
const TextDifference = lazyPart(async () => ({
  default: (await import('../../shared/difference/text-difference.tsx')).TextDifference,
}));

/** Shows what a call would change, or has changed. */
export function CallChange({ card, hidesPlan = false }: { card: ToolCard; hidesPlan?: boolean }) {
  if (isPlan(card))
    return hidesPlan ? null : (
      <Suspense>
        <PlanSteps card={card} />
      </Suspense>
    );
  const args = callArguments(card);
  const preview = card.proposal?.preview;
  const schema = schemaInArguments(args);
  const content = args['content'];
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {card.state === 'waiting' && <PassageNote passages={card.passages} />}
      {preview && <PreviewNote preview={preview} />}
      {preview?.kind === 'difference' ? (
        <>
          <p className="text-xs text-ink-faint">{preview.title}</p>
          <Suspense fallback={<Spinner label="Loading the difference" className="text-ink-faint" />}>
            <TextDifference before={preview.before} after={preview.after} />
          </Suspense>
          {preview.schema_use && <SchemaUseNote use={preview.schema_use} />}
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

type SchemaUse = NonNullable<Extract<Preview, { kind: 'difference' }>['schema_use']>;

/** The prompts that use a changed schema, and whether they move to its new version. */
function SchemaUseNote({ use: { prompts, moves_prompts } }: { use: SchemaUse }) {
  return (
    <Notice tone={moves_prompts ? 'info' : 'warn'}>
      <p>
        {moves_prompts
          ? 'These prompts move to the new version:'
          : 'These prompts stay on their version, and do not find new fields:'}
      </p>
      <ul className="max-h-40 list-disc overflow-auto pl-4">
        {prompts.map(({ prompt_id, name, schema_version, documents }) => (
          <li key={prompt_id}>
            <Link to="/prompts/$promptId" params={{ promptId: prompt_id }} className={textLinkClass}>
              {name}
            </Link>{' '}
            <span className="text-xs text-ink-soft">
              (version {schema_version}, {documents === 0 ? 'no results' : counted(documents, 'document')})
            </span>
          </li>
        ))}
      </ul>
    </Notice>
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
  if (preview.kind === 'cost') return <Notice tone="warn">{preview.message}</Notice>;
  if (preview.kind === 'replace') return <ReplacedResult preview={preview} />;
  return preview.kind === 'delete' ? <Dependents preview={preview} /> : null;
}

/** The edited or verified result that a new extraction would replace. */
function ReplacedResult({ preview }: { preview: Extract<Preview, { kind: 'replace' }> }) {
  const { version, is_verified, value_count, edited_count, edited_values, cost } = preview;
  const more = edited_count - edited_values.length;
  return (
    <Notice tone="warn">
      <p>
        This replaces {is_verified ? 'a verified' : 'an edited'} result: version {version}, {value_count}{' '}
        {value_count === 1 ? 'value' : 'values'}, {edited_count} edited. It stays in the version history.
      </p>
      {cost !== undefined && <p>{cost}</p>}
      {edited_values.length > 0 && (
        <ul className="max-h-40 list-disc overflow-auto pl-4">
          {edited_values.map(({ path, original_value, edited_value }) => (
            <li key={path} className="wrap-anywhere">
              <span className="font-medium">{path}</span>: {valueText(edited_value)}{' '}
              <span className="text-xs text-ink-soft">(extracted: {valueText(original_value)})</span>
            </li>
          ))}
          {more > 0 && <li>{more} more</li>}
        </ul>
      )}
    </Notice>
  );
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? `“${value}”` : (JSON.stringify(value) ?? 'empty');
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

type FieldPreview = Extract<Preview, { kind: 'field' }>;

/** The old and the new value of a field, with a link to its place on the page. */
function FieldChange({ preview, value }: { preview: FieldPreview | undefined; value: unknown }) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      {preview && (
        <>
          <s className="rounded-sm bg-bad-soft px-1.5 py-0.5 wrap-anywhere">{valueLabel(preview.old_value)}</s>
          <ArrowRight aria-label="becomes" className="size-3.5 text-ink-faint" />
        </>
      )}
      <span className="rounded-sm bg-good-soft px-1.5 py-0.5 font-medium wrap-anywhere">{valueLabel(value)}</span>
      {preview && <PageLink preview={preview} />}
    </p>
  );
}

function PageLink({ preview: { path, page_num } }: { preview: FieldPreview }) {
  const focus = use(FieldFocusContext);
  if (page_num === null) return <span className="text-xs text-ink-faint">not on the page</span>;
  return (
    <button
      type="button"
      onClick={() => focus?.showOnPage(path)}
      className={`${textLinkClass} inline-flex items-center gap-1 text-xs`}
    >
      <LocateFixed aria-hidden className="size-3.5" /> Show on page {page_num}
    </button>
  );
}

/** A name that can be broken after `_`, so that a long one leaves room for the columns beside it. */
const BreakableName = ({ name }: { name: string }) =>
  name.split(/(?<=_)/u).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

/** The fields of a schema. */
function SchemaTable({ schema }: { schema: JsonSchema }) {
  const rows = schemaRows(schema);
  return (
    <ScrollBox label="Fields">
      <table className="w-full border-separate border-spacing-0 text-sm">
        <thead className="sticky top-0 bg-canvas">
          <tr className="text-left text-xs text-ink-faint [&>th]:border-b [&>th]:border-line [&>th]:px-2 [&>th]:py-1 [&>th]:font-medium">
            <th>Field</th>
            <th>Kind</th>
            <th>Description</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={index}
              className="align-top [&>td]:border-b [&>td]:border-line [&>td]:px-2 [&>td]:py-1 last:[&>td]:border-b-0"
            >
              <td className="font-mono text-xs leading-4.5 wrap-break-word" style={{ paddingLeft: 8 + row.depth * 14 }}>
                <BreakableName name={row.name} />
              </td>
              <td className="whitespace-nowrap text-ink-soft">{row.type}</td>
              <td className="min-w-32 text-ink-soft">{row.description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
