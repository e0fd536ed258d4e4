import { ArrowUp, Square } from 'lucide-react';
import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react';
import { Button } from '../shared/ui/button.tsx';
import { classNames } from '../shared/ui/class-names.ts';
import { Tip } from '../shared/ui/tip.tsx';

const square = 'w-7 shrink-0';

interface ComposerProps {
  /** Why sending is off. The field should reference `composer-blocked` in `aria-describedby`. */
  blocked?: string | undefined;
  /** A problem with the draft. */
  problem?: ReactNode;
  /** Attachments, above the text. */
  attachments?: ReactNode;
  /** Text, or text with mentions. */
  field: ReactNode;
  /** Settings and attachment buttons beside the send button. Without them, the button is beside the text. */
  children?: ReactNode;
  ready: boolean;
  onSend: () => void;
  /** Set while an answer streams that can be stopped. */
  onStop?: (() => void) | undefined;
}

/**
 * The input area for a message to an agent, shared by chat, designer, setup and tasks. Place it at the end of its column:
 * parts below it would move the send button when they appear, between a user's aim and click.
 */
export function Composer(props: ComposerProps) {
  const { blocked, problem, attachments, field, children, ready, onSend, onStop } = props;
  const button = <SendButton ready={ready} onSend={onSend} onStop={onStop} />;
  return (
    <div className="shrink-0 border-t border-line bg-surface p-3">
      {blocked !== undefined && (
        <p id="composer-blocked" className="pb-2 text-xs text-warn">
          {blocked}
        </p>
      )}
      {problem !== undefined && (
        <p id="composer-problem" role="alert" className="pb-2 text-xs text-bad tabular-nums">
          {problem}
        </p>
      )}
      <div
        className={classNames(
          'flex rounded-lg border border-line-strong bg-raised focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent',
          children === undefined ? 'items-end' : 'flex-col',
        )}
      >
        {attachments !== undefined && <div className="px-2 pt-2 empty:hidden">{attachments}</div>}
        {field}
        {children === undefined ? (
          <div className="p-1.5">{button}</div>
        ) : (
          <div className="flex items-end gap-2 p-1.5">
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">{children}</div>
            {button}
          </div>
        )}
      </div>
    </div>
  );
}

interface SendButtonProps {
  ready: boolean;
  onSend: () => void;
  onStop: (() => void) | undefined;
}

function SendButton({ ready, onSend, onStop }: SendButtonProps) {
  if (onStop !== undefined)
    return (
      <Tip text="Stop (Esc)">
        <Button size="small" aria-label="Stop" onClick={onStop} className={square}>
          <Square aria-hidden className="size-3.5 fill-current" />
        </Button>
      </Tip>
    );
  return (
    <Tip text="Send (Enter)">
      <Button look="primary" size="small" aria-label="Send" disabled={!ready} onClick={onSend} className={square}>
        <ArrowUp aria-hidden className="size-4" />
      </Button>
    </Tip>
  );
}

interface TextComposerProps
  extends
    Omit<ComposerProps, 'field' | 'ready' | 'onSend' | 'onStop'>,
    Pick<ComponentProps<'textarea'>, 'placeholder' | 'rows' | 'maxLength' | 'onPaste' | 'className'> {
  /** The accessible name of the field. */
  label: string;
  draft: string | null;
  onDraft: (draft: string | null) => void;
  running: boolean;
  /** Whether something is attached: the message then needs no text. */
  hasAttachments?: boolean;
  /** Longer messages are not sent; unlike with `maxLength`, the draft can exceed it. */
  maxCharacters?: number;
  takesFocus?: boolean;
  /** Returns false if the message was not sent. */
  onSend: (text: string) => unknown;
  /** Stops the answer while `running`, if it can be stopped. */
  onStop?: () => void;
}

/** A composer for plain text, in a field that grows with it. Enter sends, Shift+Enter inserts a line break. */
export function TextComposer({
  label,
  draft,
  onDraft,
  running,
  hasAttachments = false,
  maxCharacters = Infinity,
  takesFocus = false,
  onSend,
  onStop,
  blocked,
  problem,
  attachments,
  children,
  className,
  ...rest
}: TextComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  const text = (draft ?? '').trim();
  const excess = text.length - maxCharacters;
  const ready = !running && blocked === undefined && (text !== '' || hasAttachments) && excess <= 0;
  const send = () => {
    if (!ready || onSend(text) === false) return;
    onDraft(null);
    field.current?.focus();
  };
  const tooLong = `${excess.toLocaleString()} too many characters: a message holds ${maxCharacters.toLocaleString()}.`;
  return (
    <Composer
      blocked={blocked}
      problem={excess > 0 ? tooLong : problem}
      attachments={attachments}
      ready={ready}
      onSend={send}
      onStop={running ? onStop : undefined}
      field={
        <textarea
          {...rest}
          ref={field}
          data-composer=""
          aria-label={label}
          aria-invalid={excess > 0}
          aria-describedby={blocked !== undefined ? 'composer-blocked' : excess > 0 ? 'composer-problem' : undefined}
          value={draft ?? ''}
          onChange={(event) => onDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
          className={classNames(
            'resize-none bg-transparent px-3 outline-none [field-sizing:content] placeholder:text-ink-faint',
            className,
          )}
        />
      }
    >
      {children}
    </Composer>
  );
}
