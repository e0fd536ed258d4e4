import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { documentTextQuery } from '../../../shared/api/documents-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { pageListLabel, unreadPages } from './unread-pages.ts';

interface UnreadNoticeProps {
  documentId: string;
  onPage: (page: number) => void;
}

/** Lists the pages that could not be read, with the reason; floats over the pages, so that nothing moves when it appears. */
export function UnreadNotice({ documentId, onPage }: UnreadNoticeProps) {
  const { orgId } = useSession();
  const text = useQuery(documentTextQuery(orgId, documentId)).data;
  const unread = text === undefined ? [] : unreadPages(text);
  const [dismissed, setDismissed] = useState('');
  const current = JSON.stringify(unread);
  if (unread.length === 0 || dismissed === current) return null;
  return (
    <div className="absolute inset-x-3 bottom-3 z-10 mx-auto max-w-xl rounded-md shadow-float">
      <Notice
        tone="warn"
        actions={
          <IconButton label="Dismiss" onClick={() => setDismissed(current)}>
            <X className="size-4" />
          </IconButton>
        }
      >
        <ul className="flex max-h-40 flex-col gap-1 overflow-auto">
          {unread.map(({ pages, reason }) => (
            <li key={reason}>
              <strong className="font-medium">{pageListLabel(pages)}</strong> could not be read: {reason}{' '}
              <Button size="small" look="quiet" onClick={() => onPage(pages[0] ?? 1)}>
                Go to page {pages[0]}
              </Button>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
