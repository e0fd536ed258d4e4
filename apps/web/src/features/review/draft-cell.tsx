import { useEffect, useRef } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';

interface DraftCellProps {
  label: string;
  type: string;
  shown: string;
  isActive: boolean;
  /** The typed text; undefined while the cell is not edited. */
  text: string | undefined;
  /** The rows are being sent: the typed text stays as it is. */
  isReadOnly: boolean;
  isValid: boolean;
  onText: (text: string) => void;
  onChoose: () => void;
  onEdit: () => void;
}

/** A cell of the table: a button, or an input while it is edited. */
export function DraftCell({
  label,
  type,
  shown,
  isActive,
  text,
  isReadOnly,
  isValid,
  onText,
  onChoose,
  onEdit,
}: DraftCellProps) {
  const button = useRef<HTMLButtonElement>(null);
  const isTyping = text !== undefined;
  useEffect(() => {
    if (isActive && !isTyping) button.current?.focus();
  }, [isActive, isTyping]);
  return (
    <td className={classNames('border-r border-b border-line p-0', widthOf(type), isActive && 'bg-raised')}>
      {isTyping ? (
        <input
          ref={focusAtEnd}
          aria-label={label}
          aria-invalid={!isValid}
          readOnly={isReadOnly}
          value={text}
          onChange={(event) => onText(event.target.value)}
          className="block w-full bg-transparent px-2 py-1.5 text-[inherit] outline-2 -outline-offset-2 outline-accent"
        />
      ) : (
        <button
          ref={button}
          type="button"
          tabIndex={isActive ? 0 : -1}
          aria-label={`${label}: ${shown || 'not given'}`}
          onFocus={() => !isActive && onChoose()}
          onClick={onChoose}
          onDoubleClick={onEdit}
          className="block w-full px-2 py-1.5 text-left wrap-anywhere in-[.text-right]:text-right focus:outline-2 focus:-outline-offset-2 focus:outline-accent"
        >
          {shown || <span className="text-ink-faint">–</span>}
        </button>
      )}
    </td>
  );
}

function focusAtEnd(element: HTMLInputElement | null) {
  element?.focus();
  element?.setSelectionRange(element.value.length, element.value.length);
}

/** Columns keep their width, so that nothing moves when rows are inserted or deleted. */
export const widthOf = (type: string) => (type === 'text' ? 'min-w-40' : 'min-w-22 text-right tabular-nums');
