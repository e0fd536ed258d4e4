import { Pencil, TextCursorInput, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { MenuItem, MenuLine } from '../../shared/ui/menu.tsx';
import { RenameDialog } from '../../shared/ui/dialogs/rename-dialog.tsx';
import { ActionsMenu } from '../../shared/ui/actions-menu.tsx';

interface ArtifactActionsProps {
  /** "schema" or "prompt". */
  kind: string;
  name: string;
  /** What deleting does; shown in the confirmation. */
  consequence: string;
  onEdit: () => void;
  /** Reads the name that is stored now. */
  presentName: () => Promise<string | undefined>;
  rename: (name: string, former: string | undefined) => Promise<unknown>;
  remove: () => Promise<void>;
}

/** The actions on a schema or prompt, in lists and on its page. */
export function ArtifactActions({
  kind,
  name,
  consequence,
  onEdit,
  presentName,
  rename,
  remove,
}: ArtifactActionsProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <ActionsMenu of={name}>
        <MenuItem onSelect={onEdit}>
          <Pencil aria-hidden /> Edit
        </MenuItem>
        <MenuItem onSelect={() => setDialog('rename')}>
          <TextCursorInput aria-hidden /> Rename…
        </MenuItem>
        <MenuLine />
        <MenuItem danger onSelect={() => setDialog('delete')}>
          <Trash2 aria-hidden /> Delete…
        </MenuItem>
      </ActionsMenu>
      {dialog === 'rename' && (
        <RenameDialog
          title={`Rename ${kind}`}
          name={name}
          maxLength={200}
          help="Renaming creates no new version."
          present={presentName}
          rename={rename}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete “${name}”?`}
          description={consequence}
          action="Delete"
          run={remove}
          onClose={close}
        />
      )}
    </>
  );
}
