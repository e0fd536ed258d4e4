import type { Approval } from '@docwright/contract';
import { scrolledByKeys } from '../../shared/ui/scroll-box.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { changeParts, type ChangePart } from './change-parts.ts';

interface CallTableProps {
  calls: readonly Approval[];
  /** Paths of the arguments that differ between the calls. */
  differs: readonly string[];
  shownCallId: string;
  onShow: (callId: string) => void;
  excluded: ReadonlySet<string>;
  onExclude: (excluded: ReadonlySet<string>) => void;
}

/** The calls of a group, one row for each document, with its change; each can be excluded or shown. */
export function CallTable({ calls, differs, shownCallId, onShow, excluded, onExclude }: CallTableProps) {
  const toggle = (callId: string) => {
    const next = new Set(excluded);
    if (!next.delete(callId)) next.add(callId);
    onExclude(next);
  };
  const all = excluded.size === 0;
  const parts = new Map(calls.map((call) => [call.call_id, changeParts(call, differs)]));
  const hasChanges = [...parts.values()].some((each) => each.length > 0);
  const reasons = new Set(calls.map(({ said }) => said));
  const hasReasons = reasons.size > 1;
  return (
    <section
      aria-label="Documents of this decision"
      {...scrolledByKeys}
      className="relative min-h-24 flex-1 overflow-auto bg-surface max-lg:max-h-[45dvh] max-lg:flex-none"
    >
      <table className="w-full border-separate border-spacing-0 text-sm">
        <thead className="sticky top-0 z-10 bg-surface">
          <tr className="text-left text-ink-soft [&>th]:border-b [&>th]:border-line [&>th]:px-2 [&>th]:py-1.5 [&>th]:font-normal">
            <th className="w-9 pl-3!">
              <input
                type="checkbox"
                aria-label="All documents"
                checked={all}
                onChange={() => onExclude(all ? new Set(calls.map(({ call_id }) => call_id)) : new Set())}
                className="block size-4 accent-accent"
              />
            </th>
            <th>Document</th>
            {hasChanges && <th>Change</th>}
            {hasReasons && <th className="max-md:hidden">Reason</th>}
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr
              key={call.call_id}
              aria-current={call.call_id === shownCallId ? 'true' : undefined}
              onClick={() => onShow(call.call_id)}
              className={classNames(
                'cursor-pointer [&>td]:border-b [&>td]:border-line [&>td]:px-2 [&>td]:py-1.5 max-md:[&>td]:py-3',
                call.call_id === shownCallId ? 'bg-accent-soft' : 'hover:bg-hover',
              )}
            >
              <td className="pl-3!">
                <input
                  type="checkbox"
                  aria-label={`Decide on ${documentName(call)}`}
                  checked={!excluded.has(call.call_id)}
                  onChange={() => toggle(call.call_id)}
                  onClick={(event) => event.stopPropagation()}
                  className="block size-4 accent-accent"
                />
              </td>
              <td className="max-w-48">
                <button type="button" title={documentName(call)} className="block w-full truncate text-left">
                  {documentName(call)}
                </button>
              </td>
              {hasChanges && (
                <td className="max-w-64">
                  <Change parts={parts.get(call.call_id) ?? []} />
                </td>
              )}
              {hasReasons && (
                <td title={call.said} className="max-w-56 truncate text-ink-soft max-md:hidden">
                  {call.said}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const documentName = ({ document_name }: Approval) => document_name ?? 'a deleted document';

function Change({ parts }: { parts: ChangePart[] }) {
  return (
    <span className="flex flex-wrap items-center gap-1">
      {parts.map(({ kind, text }, index) => {
        const look = classNames(
          'max-w-full truncate rounded-sm px-1.5',
          kind === 'removed' && 'bg-bad-soft',
          kind === 'added' && 'bg-good-soft font-medium',
          kind === 'warning' && 'bg-warn-soft text-warn',
        );
        const key = `${kind}-${index}`;
        return kind === 'removed' ? (
          <s key={key} title={text} className={look}>
            {text}
          </s>
        ) : (
          <span key={key} title={text} className={look}>
            {text}
          </span>
        );
      })}
    </span>
  );
}
