import type { SchemaColumnsAnswer } from '@docwright/contract';
import { useNavigate } from '@tanstack/react-router';
import { ArrowLeft, Braces, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../shared/session/session.tsx';
import { AppHeader } from '../../shared/page/app-header.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { MenuItem } from '../../shared/ui/menu.tsx';
import { inputClass } from '../../shared/ui/fields/text-field.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { Tip } from '../../shared/ui/tip.tsx';
import type { ColumnProblems } from './state/column-check.ts';
import { undecidedCalls, type DesignerState } from './state/designer-state.ts';
import { ActionsMenu } from '../../shared/ui/actions-menu.tsx';

interface DesignerHeaderProps {
  stored: SchemaColumnsAnswer | undefined;
  state: DesignerState;
  /** Whether the header has room for the name field. */
  named: boolean;
  dirty: boolean;
  problems: ColumnProblems;
  saving: boolean;
  onName: (name: string) => void;
  onSave: () => void;
  onStartOver: () => void;
}

export function DesignerHeader(props: DesignerHeaderProps) {
  const { stored, state, named, dirty, problems, saving, onName, onSave, onStartOver } = props;
  const { canWrite } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  const [asking, setAsking] = useState<'over' | 'save'>();
  const { name } = state.design;
  const open = undecidedCalls(state).length;
  const blocked = saveBlocked(state, problems, stored !== undefined);
  const back = () =>
    void (stored === undefined
      ? navigate({ to: '/schemas' })
      : navigate({ to: '/schemas/$schemaId', params: { schemaId: stored.schema_id } }));
  const save = () => {
    if (saving) return;
    if (blocked !== undefined) {
      toast(blocked);
      return;
    }
    if (open > 0) setAsking('save');
    else onSave();
  };
  return (
    <>
      <AppHeader full>
        <title>{`${name.trim() === '' ? 'New schema' : name} · Designer · Docwright`}</title>
        <h1 className="sr-only">Schema designer</h1>
        <IconButton label={stored === undefined ? 'Back to the schemas' : 'Back to the schema'} onClick={back}>
          <ArrowLeft aria-hidden className="size-4" />
        </IconButton>
        {named && (
          <input
            aria-label="Name of the schema"
            placeholder="Name of the schema"
            maxLength={200}
            value={name}
            disabled={!canWrite}
            onChange={(event) => onName(event.target.value)}
            className={`${inputClass} h-7 max-w-72 flex-1 font-medium`}
          />
        )}
        {canWrite && (
          <span className="ml-auto flex shrink-0 items-center gap-1">
            <ActionsMenu of="this design">
              <MenuItem disabled={!dirty} onSelect={() => setAsking('over')}>
                <RotateCcw aria-hidden /> Start over…
              </MenuItem>
              {stored !== undefined && (
                <MenuItem
                  onSelect={() =>
                    void navigate({ to: '/schemas/$schemaId/edit', params: { schemaId: stored.schema_id } })
                  }
                >
                  <Braces aria-hidden /> Edit as JSON
                </MenuItem>
              )}
            </ActionsMenu>
            <Tip text={blocked ?? (stored === undefined ? 'Create the schema' : 'Create a new version')}>
              <Button look="primary" size="small" aria-disabled={blocked !== undefined || saving} onClick={save}>
                {saving ? 'Saving…' : 'Save'}
              </Button>
            </Tip>
          </span>
        )}
      </AppHeader>
      {asking === 'over' && (
        <ConfirmDialog
          title="Start over?"
          description={
            stored === undefined
              ? 'This discards the columns and the conversation.'
              : 'This discards the conversation and unsaved changes, and shows the columns of the current version.'
          }
          action="Start over"
          run={async () => onStartOver()}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'save' && (
        <ConfirmDialog
          title={open === 1 ? 'Save without the proposed change?' : `Save without the ${open} proposed changes?`}
          description="Changes you do not approve are not saved."
          action="Save without"
          cancelLabel="Decide first"
          run={async () => onSave()}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

function saveBlocked(
  { design, phase }: DesignerState,
  problems: ColumnProblems,
  isStored: boolean,
): string | undefined {
  if (design.name.trim() === '') return 'Give the schema a name first.';
  if (design.columns.length === 0) return isStored ? 'A schema needs a column.' : 'Add a column first.';
  if (phase === 'applying') return 'Your decision is being applied.';
  return problems.size > 0 ? 'Some columns have a problem: see the table.' : undefined;
}
