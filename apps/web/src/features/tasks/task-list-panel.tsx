import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ListTodo, Plus } from 'lucide-react';
import { taskListQuery } from './tasks-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { Pager } from '../../shared/ui/pager.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { TaskRow } from './task-row.tsx';
import { taskViews, type TaskView } from '../../shared/addresses/task-search.ts';
import { useTaskOwner } from './use-task-owner.ts';

const route = getRouteApi('/tasks');
const pageSize = 50;

const labels: Record<TaskView, string> = { open: 'Open', done: 'Done', all: 'All' };
const isCompletedOf: Record<TaskView, boolean | undefined> = { open: false, done: true, all: undefined };
const empty: Record<TaskView, { title: string; text: string }> = {
  open: {
    title: 'Nothing to do',
    text: 'Add a task, or tell the agent: “remind me to check the March invoice by Friday”.',
  },
  done: { title: 'Nothing done yet', text: 'Completed tasks appear here.' },
  all: { title: 'No tasks yet', text: 'Add one, or tell the agent what you have to do.' },
};

/** Lists the tasks, the soonest due first. */
export function TaskListPanel({ onCreate }: { onCreate: () => void }) {
  const { canWrite } = useSession();
  const owner = useTaskOwner();
  const { view = 'open', page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const search = { skip: (page - 1) * pageSize, limit: pageSize, is_completed: isCompletedOf[view] };
  const list = useQuery(taskListQuery(owner, search));
  const ofView = view === 'open' ? {} : { view };
  const total = list.data?.total_count ?? 0;
  return (
    <div className="flex flex-col gap-3">
      <fieldset aria-label="Which tasks" className="flex gap-1">
        {taskViews.map((each) => (
          <Button
            key={each}
            size="small"
            look={view === each ? 'secondary' : 'quiet'}
            aria-pressed={view === each}
            onClick={() => void navigate({ search: each === 'open' ? {} : { view: each } })}
          >
            {labels[each]}
          </Button>
        ))}
      </fieldset>
      {list.error && <RetryNotice error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Skeleton className="h-40" />}
      {list.data && list.data.tasks.length === 0 && (
        <div className={panelClass}>
          <EmptyState
            icon={ListTodo}
            title={empty[view].title}
            actions={
              canWrite &&
              view !== 'done' && (
                <Button onClick={onCreate}>
                  <Plus aria-hidden className="size-4" /> New task
                </Button>
              )
            }
          >
            {canWrite ? empty[view].text : 'As a viewer you read only.'}
          </EmptyState>
        </div>
      )}
      {list.data && list.data.tasks.length > 0 && (
        <ul aria-label="Tasks" className={`${panelClass} divide-y divide-line`}>
          {list.data.tasks.map((task) => (
            <TaskRow key={task.id} task={task} />
          ))}
        </ul>
      )}
      {total > pageSize && (
        <Pager
          page={page}
          pageSize={pageSize}
          total={total}
          onPage={(next) => void navigate({ search: next > 1 ? { ...ofView, page: next } : ofView })}
        />
      )}
    </div>
  );
}
