import type { SchemaChatMessage } from '@docwright/contract';
import { FileText, ImagePlus, Paperclip } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Menu, MenuItem } from '../../../shared/ui/menu.tsx';
import { TextComposer } from '../../../agent-ui/composer.tsx';
import { useStoredValue } from '../../../shared/ui/browser/stored-value.ts';
import { Attachments } from './attachments.tsx';
import { userMessage, type MentionedDocument } from '../state/conversation-entries.ts';
import { DocumentPick } from '../../../shared/page/document-pick.tsx';
import { maxImages, readExampleImage } from '../state/example-image.ts';
import { imageTypes } from './image-picker.tsx';

interface DesignerComposerProps {
  draftKey: string;
  running: boolean;
  /** Why sending is off. */
  blocked: string | undefined;
  onSend: (message: SchemaChatMessage) => void;
  onStop: () => void;
  /** Settings beside the send button. */
  children: ReactNode;
}

const noAttachments = { documents: [] as MentionedDocument[], images: [] as string[] };

/** The message field of the designer, with documents and example images as attachments. */
export function DesignerComposer({ draftKey, running, blocked, onSend, onStop, children }: DesignerComposerProps) {
  const [draft, setDraft] = useStoredValue(draftKey);
  const [attached, setAttached] = useState(noAttachments);
  const [picking, setPicking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const chooser = useRef<HTMLInputElement>(null);
  const send = (text: string) => {
    onSend(userMessage(text, attached.documents, attached.images));
    setAttached(noAttachments);
  };
  const addImages = async (files: File[]) => {
    setProblem(undefined);
    try {
      const images = await Promise.all(files.map(readExampleImage));
      setAttached((present) => ({ ...present, images: [...present.images, ...images].slice(-maxImages) }));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <>
      <TextComposer
        label="Message to the agent"
        placeholder="What do you want to know from your documents?"
        rows={2}
        className="max-h-48 min-h-12 w-full pt-2"
        maxLength={100_000}
        draft={draft}
        onDraft={setDraft}
        running={running}
        blocked={blocked}
        problem={problem}
        onSend={send}
        onStop={onStop}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return;
          event.preventDefault();
          void addImages([...event.clipboardData.files]);
        }}
        hasAttachments={attached.documents.length + attached.images.length > 0}
        attachments={
          <Attachments
            {...attached}
            onRemove={({ document, image }) =>
              setAttached(({ documents, images }) => ({
                documents: documents.filter(({ id }) => id !== document),
                images: images.filter((url) => url !== image),
              }))
            }
          />
        }
      >
        <Menu
          align="start"
          trigger={
            <IconButton label="Attach">
              <Paperclip aria-hidden className="size-4" />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => setPicking(true)}>
            <FileText aria-hidden /> Document…
          </MenuItem>
          <MenuItem onSelect={() => chooser.current?.click()}>
            <ImagePlus aria-hidden /> Example image…
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
            void addImages([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        {children}
      </TextComposer>
      {picking && (
        <DocumentPick
          title="Attach a document"
          description="The agent reads the start of its text to suggest columns."
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
    </>
  );
}
