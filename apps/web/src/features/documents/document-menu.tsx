import type { Document } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, Pencil, Scissors, ScrollText, Shield, ShieldBan, Sparkles, Trash2 } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import {
  deleteDocument,
  documentQuery,
  filePath,
  isBeingRead,
  patchDocument,
  startAutoCreate,
} from '../../shared/api/documents-api.ts';
import { tagsQuery } from '../../shared/api/library-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { MenuCheck, MenuItem, MenuLabel, MenuLine } from '../../shared/ui/menu.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { TagDot } from '../../shared/labels/tag-chips.tsx';
import { ActionsMenu } from '../../shared/ui/actions-menu.tsx';
import { useChange } from '../../shared/page/use-change.ts';
import { asSeen } from '../../shared/http/seen-state.ts';

const RenameDialog = lazyPart(async () => ({
  default: (await import('../../shared/ui/dialogs/rename-dialog.tsx')).RenameDialog,
}));
const ConfirmDialog = lazyPart(async () => ({
  default: (await import('../../shared/ui/dialogs/confirm-dialog.tsx')).ConfirmDialog,
}));

const PrepareDialog = lazyPart(async () => ({ default: (await import('./bulk/extract-dialog.tsx')).PrepareDialog }));

interface DocumentMenuProps {
  document: Document;
  onDeleted?: () => void;
  /** The first entries, on its page. */
  children?: ReactNode;
}

/** The actions on one document, in the list and on its page. */
export function DocumentMenu({ document, onDeleted, children }: DocumentMenuProps) {
  const { orgId, organization, canWrite } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [dialog, setDialog] = useState<'rename' | 'delete' | 'prepare'>();
  const preparing = useChange(() => startAutoCreate(orgId, document.id), {
    refreshes: [['documents', orgId]],
    says: `The agent prepares “${document.document_name}”.`,
    showsError: true,
  });
  // The price is known of what was not prepared yet.
  const isPrepared = document.auto_create?.status === 'proposed' || document.duplicate_of !== undefined;
  const isKept = document.never_to_model === true;
  const keeping = useChange(() => patchDocument(orgId, document.id, { never_to_model: !isKept }), {
    refreshes: [['documents', orgId]],
    says: isKept ? 'Models may see the document.' : 'No model sees the document from now on, except local ones.',
    showsError: true,
  });
  const rename = async (document_name: string, former: string | undefined) => {
    await patchDocument(orgId, document.id, asSeen({ document_name }, { document_name: former }));
    await queryClient.invalidateQueries({ queryKey: ['documents', orgId] });
  };
  const presentName = async () =>
    (await queryClient.fetchQuery({ ...documentQuery(orgId, document.id), staleTime: 0 })).document_name;
  const moveToTrash = async () => {
    await deleteDocument(orgId, document.id);
    toast(`“${document.document_name}” is in the trash.`);
    onDeleted?.();
    void queryClient.invalidateQueries({ queryKey: ['documents', orgId, 'list'] });
  };
  return (
    <>
      <ActionsMenu of={document.document_name}>
        {children}
        <MenuItem asChild>
          <a href={filePath(orgId, document.id)} download={document.document_name}>
            <Download aria-hidden /> Download the file
          </a>
        </MenuItem>
        <MenuItem asChild>
          <Link to="/audit" search={{ document: document.id }}>
            <ScrollText aria-hidden /> Audit of this document
          </Link>
        </MenuItem>
        {canWrite && (
          <>
            <MenuItem
              disabled={isBeingRead(document) || document.auto_create?.status === 'running'}
              onSelect={() => (isPrepared ? preparing.mutate() : setDialog('prepare'))}
            >
              <Sparkles aria-hidden /> Prepare automatically{!isPrepared && '…'}
              {isBeingRead(document) && ' (once it is read)'}
            </MenuItem>
            <MenuItem onSelect={() => setDialog('rename')}>
              <Pencil aria-hidden /> Rename…
            </MenuItem>
            {document.mime_type === 'application/pdf' && (document.page_count ?? 0) > 1 && (
              <MenuItem asChild>
                <Link to="/documents/$documentId/split" params={{ documentId: document.id }}>
                  <Scissors aria-hidden /> Split into documents…
                </Link>
              </MenuItem>
            )}
            {(!isKept || organization.role === 'admin') && (
              <MenuItem disabled={keeping.isPending} onSelect={() => keeping.mutate()}>
                {isKept ? <Shield aria-hidden /> : <ShieldBan aria-hidden />}
                {isKept ? 'Let models see it' : 'Keep it from models'}
              </MenuItem>
            )}
            <TagChoices document={document} />
            <MenuLine />
            <MenuItem danger onSelect={() => setDialog('delete')}>
              <Trash2 aria-hidden /> Delete…
            </MenuItem>
          </>
        )}
      </ActionsMenu>
      <Suspense>
        {dialog === 'rename' && (
          <RenameDialog
            title="Rename document"
            name={document.document_name}
            maxLength={255}
            present={presentName}
            rename={rename}
            onClose={() => setDialog(undefined)}
          />
        )}
        {dialog === 'prepare' && (
          <PrepareDialog
            which={{ document_ids: [document.id] }}
            count={1}
            isSingle
            onClose={() => setDialog(undefined)}
            onPrepare={() => {
              setDialog(undefined);
              preparing.mutate();
            }}
          />
        )}
        {dialog === 'delete' && (
          <ConfirmDialog
            title={`Delete “${document.document_name}”?`}
            description="It moves to the trash for 30 days, with its extractions and conversations."
            action="Delete"
            run={moveToTrash}
            onClose={() => setDialog(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

function TagChoices({ document }: { document: Document }) {
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const tagging = useChange(
    (change: { add_tag_ids: string[] } | { remove_tag_ids: string[] }) => patchDocument(orgId, document.id, change),
    { refreshes: [['documents', orgId]], showsError: true },
  );
  if (tags.length === 0) return null;
  return (
    <>
      <MenuLine />
      <MenuLabel>Tags</MenuLabel>
      {tags.map((tag) => {
        const has = document.tag_ids.includes(tag.tag_id);
        const next = has ? { remove_tag_ids: [tag.tag_id] } : { add_tag_ids: [tag.tag_id] };
        return (
          <MenuCheck
            key={tag.tag_id}
            checked={has}
            onSelect={(event) => event.preventDefault()}
            onCheckedChange={() => tagging.mutate(next)}
          >
            <TagDot tag={tag} />
            <span className="truncate">{tag.name}</span>
          </MenuCheck>
        );
      })}
    </>
  );
}
