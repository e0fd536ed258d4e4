import type { SchemaChatMessage } from '@docwright/contract';
import { ArrowUp, FileText, ImagePlus, Paperclip, Square } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { messageOf } from '../api/api-error.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useStoredValue } from '../ui/stored-value.ts';
import { Tip } from '../ui/tip.tsx';
import { Attachments } from './attachments.tsx';
import { personMessage, type NamedDocument } from './conversation-entries.ts';
import { DocumentPick } from './document-pick.tsx';
import { mostImages, readExampleImage } from './example-image.ts';
import { imageTypes } from './image-picker.tsx';

interface DesignerComposerProps {
  draftKey: string;
  running: boolean;
  /** Why nothing can be sent now. */
  blocked: string | undefined;
  onSend: (message: SchemaChatMessage) => void;
  onStop: () => void;
  /** Settings beside the button. */
  children: ReactNode;
}

const square = 'w-7 shrink-0';
const nothing = { documents: [] as NamedDocument[], images: [] as string[] };

/** Enter sends, Shift and Enter begin a new line; documents and example images go along. */
export function DesignerComposer({ draftKey, running, blocked, onSend, onStop, children }: DesignerComposerProps) {
  const [stored, setDraft] = useStoredValue(draftKey);
  const [attached, setAttached] = useState(nothing);
  const [picking, setPicking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const draft = stored ?? '';
  const empty = draft.trim() === '' && attached.documents.length === 0 && attached.images.length === 0;
  const ready = !running && blocked === undefined && !empty;
  const send = () => {
    if (!ready) return;
    onSend(personMessage(draft.trim(), attached.documents, attached.images));
    setDraft(null);
    setAttached(nothing);
    field.current?.focus();
  };
  const takeImages = async (files: File[]) => {
    setProblem(undefined);
    try {
      const images = await Promise.all(files.map(readExampleImage));
      setAttached((present) => ({ ...present, images: [...present.images, ...images].slice(-mostImages) }));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <div className="shrink-0 border-t border-line bg-surface p-3">
      {blocked !== undefined && (
        <p id="composer-blocked" className="pb-2 text-xs text-warn">
          {blocked}
        </p>
      )}
      {problem !== undefined && (
        <p role="alert" className="pb-2 text-xs text-bad">
          {problem}
        </p>
      )}
      <div className="flex flex-col rounded-lg border border-line-strong bg-raised focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent">
        <div className="px-2 pt-2 empty:hidden">
          <Attachments
            {...attached}
            onRemove={({ document, image }) =>
              setAttached(({ documents, images }) => ({
                documents: documents.filter(({ id }) => id !== document),
                images: images.filter((url) => url !== image),
              }))
            }
          />
        </div>
        <textarea
          ref={field}
          data-composer=""
          aria-label="Message to the agent"
          aria-describedby={blocked === undefined ? undefined : 'composer-blocked'}
          placeholder="What do you want to know of your documents?"
          rows={2}
          maxLength={100_000}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
          onPaste={(event) => {
            if (event.clipboardData.files.length === 0) return;
            event.preventDefault();
            void takeImages([...event.clipboardData.files]);
          }}
          className="max-h-48 min-h-12 w-full resize-none bg-transparent px-3 pt-2 outline-none [field-sizing:content] placeholder:text-ink-faint"
        />
        <div className="flex items-center gap-2 p-1.5">
          <Menu
            align="start"
            trigger={
              <IconButton label="Show the agent something">
                <Paperclip aria-hidden className="size-4" />
              </IconButton>
            }
          >
            <MenuItem onSelect={() => setPicking(true)}>
              <FileText aria-hidden /> A document to look at…
            </MenuItem>
            <MenuItem onSelect={() => chooser.current?.click()}>
              <ImagePlus aria-hidden /> An example image…
            </MenuItem>
          </Menu>
          <input
            ref={chooser}
            type="file"
            accept={imageTypes}
            multiple
            hidden
            aria-label="Example images"
            onChange={(event) => {
              void takeImages([...(event.target.files ?? [])]);
              event.target.value = '';
            }}
          />
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">{children}</div>
          {running ? (
            <Tip text="Stop (Esc)">
              <Button size="small" aria-label="Stop" onClick={onStop} className={square}>
                <Square aria-hidden className="size-3.5 fill-current" />
              </Button>
            </Tip>
          ) : (
            <Tip text="Send (Enter)">
              <Button look="primary" size="small" aria-label="Send" disabled={!ready} onClick={send} className={square}>
                <ArrowUp aria-hidden className="size-4" />
              </Button>
            </Tip>
          )}
        </div>
      </div>
      {picking && (
        <DocumentPick
          onClose={() => setPicking(false)}
          onPick={(document) => {
            setPicking(false);
            setAttached(({ documents, images }) => ({
              images,
              documents: [...documents.filter(({ id }) => id !== document.id), document],
            }));
          }}
        />
      )}
    </div>
  );
}
