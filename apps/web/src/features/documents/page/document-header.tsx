import type { Document } from '@docwright/contract';
import { useNavigate } from '@tanstack/react-router';
import { ArrowLeft, ChevronLeft, ChevronRight } from 'lucide-react';
import { AppHeader } from '../../../shared/page/app-header.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { MenuItem } from '../../../shared/ui/menu.tsx';
import { DocumentIcon } from '../../../shared/labels/document-icon.tsx';
import { DocumentMenu } from '../document-menu.tsx';
import { DocumentStateBadge } from '../../../shared/labels/document-state-badge.tsx';
import { storedListSearch } from '../stored-list-search.ts';
import { useGoBy, useIsAtEnd } from './use-go-by.ts';
import { TagChips } from '../../../shared/labels/tag-chips.tsx';

export function DocumentHeader({ document }: { document: Document }) {
  const navigate = useNavigate();
  const goBy = useGoBy(document.id);
  const { isFirst, isLast } = useIsAtEnd(document.id);
  const toList = () => void navigate({ to: '/', search: storedListSearch() });
  return (
    <AppHeader full>
      <title>{`${document.document_name} · Docwright`}</title>
      <IconButton label="Back to the documents" onClick={toList}>
        <ArrowLeft className="size-4" />
      </IconButton>
      <span className="max-md:hidden">
        <DocumentIcon mimeType={document.mime_type} />
      </span>
      <h1 className="min-w-0 truncate text-base font-semibold" title={document.document_name}>
        {document.document_name}
      </h1>
      <DocumentMenu document={document} onDeleted={toList}>
        {/* A phone has no room for their buttons. */}
        <MenuItem className="md:hidden" disabled={isFirst} onSelect={() => void goBy(-1)}>
          <ChevronLeft aria-hidden /> Previous document
        </MenuItem>
        <MenuItem className="md:hidden" disabled={isLast} onSelect={() => void goBy(1)}>
          <ChevronRight aria-hidden /> Next document
        </MenuItem>
      </DocumentMenu>
      {/* One line: tags that do not fit are in the menu. */}
      <div className="h-4 min-w-0 shrink-[9] overflow-hidden max-md:hidden">
        <TagChips tagIds={document.tag_ids} />
      </div>
      <div className="ml-auto shrink-0">
        <DocumentStateBadge document={document} compact />
      </div>
      <div className="flex shrink-0 items-center max-md:hidden">
        <IconButton label="Previous document" hint="Ctrl ←" disabled={isFirst} onClick={() => void goBy(-1)}>
          <ChevronLeft className="size-4" />
        </IconButton>
        <IconButton label="Next document" hint="Ctrl →" disabled={isLast} onClick={() => void goBy(1)}>
          <ChevronRight className="size-4" />
        </IconButton>
      </div>
    </AppHeader>
  );
}
