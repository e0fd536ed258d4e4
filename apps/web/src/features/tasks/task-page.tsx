import { useState } from 'react';
import { Plus } from 'lucide-react';
import { useSession } from '../../shared/session/session.tsx';
import { Page, panelClass } from '../../shared/page/page.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { useMediaQuery } from '../../shared/ui/browser/use-media-query.ts';
import { TaskChat } from './task-chat.tsx';
import { TaskDialog } from './task-dialog.tsx';
import { TaskListPanel } from './task-list-panel.tsx';

const sides = [
  { side: 'list', label: 'List' },
  { side: 'agent', label: 'Agent' },
] as const;
type Side = (typeof sides)[number]['side'];

/** The user's to-do list and the task agent, side by side or one at a time in a narrow window. */
export function TaskPage() {
  const { canWrite, orgId } = useSession();
  const [creating, setCreating] = useState(false);
  const [side, setSide] = useState<Side>('list');
  const isWide = useMediaQuery('(min-width: 64rem)');
  const shown = (which: Side) => (isWide || side === which ? '' : 'hidden');
  return (
    <Page
      title="Tasks"
      note="Your to-dos about documents. Only you see them."
      actions={
        canWrite && (
          <Button look="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden className="size-4" /> New task
          </Button>
        )
      }
    >
      {!isWide && (
        <fieldset aria-label="What to show" className="flex gap-1">
          {sides.map((each) => (
            <Button
              key={each.side}
              size="small"
              look={side === each.side ? 'secondary' : 'quiet'}
              aria-pressed={side === each.side}
              onClick={() => setSide(each.side)}
              className="flex-1"
            >
              {each.label}
            </Button>
          ))}
        </fieldset>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className={classNames('min-w-0', shown('list'))}>
          <TaskListPanel onCreate={() => setCreating(true)} />
        </div>
        <section
          aria-label="Task agent"
          className={classNames(
            panelClass,
            'flex h-[calc(100dvh-15.5rem)] min-h-80 min-w-0 flex-col overflow-hidden lg:sticky lg:top-4 lg:h-[calc(100dvh-10rem)]',
            shown('agent'),
          )}
        >
          <TaskChat key={orgId} />
        </section>
      </div>
      {creating && <TaskDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
