import { X } from 'lucide-react';
import { createContext, use, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { textLinkClass } from './text-link.ts';

interface Message {
  id: number;
  text: string;
  tone: 'plain' | 'bad';
  action?: ToastAction | undefined;
}

/** An action in the toast, such as Undo; running it removes the toast. */
interface ToastAction {
  label: string;
  run: () => void;
}

const ToastContext = createContext<(text: string, tone?: Message['tone'], action?: ToastAction) => void>(() => {});

/** Shows a passing message. Anything the user must act on belongs in the page instead. */
export const useToast = () => use(ToastContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<Message[]>([]);
  const counter = useRef(0);
  const showToast = useCallback((text: string, tone: Message['tone'] = 'plain', action?: ToastAction) => {
    counter.current += 1;
    const message = { id: counter.current, text, tone, action };
    setMessages((present) => [...present.slice(-2), message]);
  }, []);
  const remove = useCallback(
    (id: number) => setMessages((present) => present.filter((message) => message.id !== id)),
    [],
  );
  return (
    <ToastContext value={showToast}>
      {children}
      <div
        aria-live="polite"
        className="pointer-events-none fixed top-14 right-4 z-50 flex w-[min(22rem,calc(100vw-2rem))] flex-col gap-2"
      >
        {messages.map((message) => (
          <Toast key={message.id} message={message} onRemove={remove} />
        ))}
      </div>
    </ToastContext>
  );
}

/** Disappears after a while, later for failures and actions, and never while the pointer or the focus is on it. */
function Toast({ message, onRemove }: { message: Message; onRemove: (id: number) => void }) {
  const { id, text, tone, action } = message;
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => onRemove(id), tone === 'bad' || action !== undefined ? 12_000 : 4000);
    return () => clearTimeout(timer);
  }, [held, id, tone, action, onRemove]);
  return (
    <div
      role="presentation"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={classNames(
        'pointer-events-auto flex items-start gap-3 rounded-md border bg-raised px-3 py-2 text-sm shadow-float',
        tone === 'bad' ? 'border-bad' : 'border-line',
      )}
    >
      <p className="min-w-0 flex-1 wrap-anywhere">{text}</p>
      {action && (
        <button
          type="button"
          onClick={() => {
            onRemove(id);
            action.run();
          }}
          className={`${textLinkClass} font-medium`}
        >
          {action.label}
        </button>
      )}
      <button type="button" aria-label="Dismiss" onClick={() => onRemove(id)} className="text-ink-faint hover:text-ink">
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}
