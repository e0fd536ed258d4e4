import type { ImageRequest } from '@docwright/contract';
import { Image } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { ImagePicker } from './image-picker.tsx';

interface ImageRequestCardProps {
  request: ImageRequest;
  /** What has been chosen and not shown yet. */
  url: string | undefined;
  onChoose: (url: string | undefined) => void;
  onShow: (url: string) => void;
  onSkip: () => void;
}

/** The agent asks to see an example. It goes to the model as an image, and nowhere else. */
export function ImageRequestCard({ request, url, onChoose, onShow, onSkip }: ImageRequestCardProps) {
  return (
    <section aria-label="Example image" className="rounded-md border border-warn bg-raised">
      <h3 className="flex items-center gap-2 px-2.5 py-1.5 text-sm font-medium">
        <Image aria-hidden className="size-4 shrink-0 text-warn" /> An example image
      </h3>
      <div className="flex flex-col gap-2 border-t border-line px-2.5 py-2">
        <p className="text-sm wrap-anywhere">{request.message}</p>
        {url === undefined ? (
          <ImagePicker label="Example image" onImage={onChoose} />
        ) : (
          <img
            src={url}
            alt="What the agent will see"
            className="max-h-48 self-start rounded-md border border-line bg-paper"
          />
        )}
        <div className="flex flex-wrap gap-2">
          <Button
            look="primary"
            size="small"
            disabled={url === undefined}
            onClick={() => url !== undefined && onShow(url)}
          >
            Show it to the agent
          </Button>
          {url !== undefined && (
            <Button size="small" onClick={() => onChoose(undefined)}>
              Another one
            </Button>
          )}
          <Button look="quiet" size="small" onClick={onSkip}>
            Skip
          </Button>
        </div>
        <p className="text-xs text-ink-faint">
          It is made smaller here and sent to the model. The server keeps no copy.
        </p>
      </div>
    </section>
  );
}
