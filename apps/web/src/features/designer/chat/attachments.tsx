import { FileText, X } from 'lucide-react';
import type { MentionedDocument } from '../state/conversation-entries.ts';

interface AttachmentsProps {
  documents: MentionedDocument[];
  images: string[];
  /** Undefined once they have been sent. */
  onRemove?: ((attachment: { document?: string; image?: string }) => void) | undefined;
}

/** The documents and images of a message. */
export function Attachments({ documents, images, onRemove }: AttachmentsProps) {
  if (documents.length === 0 && images.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-1.5">
      {documents.map(({ id, name }) => (
        <li
          key={id}
          className="inline-flex h-6 max-w-full items-center gap-1 rounded-sm border border-line bg-raised px-1.5 text-xs"
        >
          <FileText aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
          <span className="min-w-0 truncate">{name}</span>
          {onRemove && <Remove label={`Remove ${name}`} onClick={() => onRemove({ document: id })} />}
        </li>
      ))}
      {images.map((url, index) => (
        <li key={index} className="relative">
          <img
            src={url}
            alt={`Example ${index + 1}`}
            className="h-16 max-w-32 rounded-sm border border-line bg-paper object-cover"
          />
          {onRemove && (
            <span className="absolute top-0.5 right-0.5 flex rounded-sm bg-raised">
              <Remove label={`Remove example ${index + 1}`} onClick={() => onRemove({ image: url })} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="rounded-sm p-0.5 text-ink-soft hover:text-ink"
    >
      <X aria-hidden className="size-3.5" />
    </button>
  );
}
