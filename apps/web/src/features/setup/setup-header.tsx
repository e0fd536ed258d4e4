import type { AgentConversation, Source } from '@docwright/contract';
import { useNavigate } from '@tanstack/react-router';
import { ArrowLeft, Ban } from 'lucide-react';
import { useState } from 'react';
import { abandonConversation } from '../../shared/api/pipeline-agent-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { AppHeader } from '../../shared/page/app-header.tsx';
import { StateMark } from '../../shared/labels/state-mark.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { MenuItem } from '../../shared/ui/menu.tsx';
import { statusLabel } from './state/setup-labels.ts';
import { counted } from '../../shared/formats/counted.ts';
import { ActionsMenu } from '../../shared/ui/actions-menu.tsx';

interface SetupHeaderProps {
  name: string;
  source: Source | undefined;
  conversation: AgentConversation;
  /** Receives the changed conversation. */
  onAbandoned: (conversation: AgentConversation) => void;
}

export function SetupHeader({ name, source, conversation, onAbandoned }: SetupHeaderProps) {
  const { orgId, canWrite } = useSession();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const { id, status } = conversation;
  return (
    <AppHeader>
      <IconButton label="Back to the guided setups" onClick={() => void navigate({ to: '/setup' })}>
        <ArrowLeft aria-hidden className="size-4" />
      </IconButton>
      <h1 className="min-w-0 truncate text-base font-semibold" title={name}>
        <span className="sr-only">Guided setup: </span>
        {name}
      </h1>
      {source && (
        <span className="shrink-0 text-sm text-ink-soft max-2xl:hidden">
          {counted(source.document_count, 'document')}
        </span>
      )}
      <output className="ml-auto shrink-0 max-sm:hidden">
        <StateMark {...statusLabel(conversation)} />
      </output>
      {status === 'active' && canWrite && (
        <span className="shrink-0 max-sm:ml-auto">
          <ActionsMenu of="this setup">
            <MenuItem danger onSelect={() => setAsking(true)}>
              <Ban aria-hidden /> Abandon…
            </MenuItem>
          </ActionsMenu>
        </span>
      )}
      {asking && (
        <ConfirmDialog
          title="Abandon this setup?"
          description="The conversation ends without a collection. You can still read it. The source and its documents are kept."
          action="Abandon"
          cancelLabel="Continue"
          run={async () => onAbandoned(await abandonConversation(orgId, id))}
          onClose={() => setAsking(false)}
        />
      )}
    </AppHeader>
  );
}
