import type { Task } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import { documentListQuery, documentQuery } from '../../shared/api/documents-api.ts';
import { changedParts } from '../../shared/http/changed-parts.ts';
import { seenState } from '../../shared/http/seen-state.ts';
import { createTask, tasksKey, updateTask } from './tasks-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { TextAreaField } from '../../shared/ui/fields/text-area-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { dayOf } from './due-labels.ts';
import { useTaskOwner } from './use-task-owner.ts';
import { useChange } from '../../shared/page/use-change.ts';

interface TaskDialogProps {
  /** Absent for a new task. */
  task?: Task;
  onClose: () => void;
}

const maxDocuments = 100;

export function TaskDialog({ task, onClose }: TaskDialogProps) {
  const owner = useTaskOwner();
  const [opened] = useState(() => ({
    title: task?.title ?? '',
    description: task?.description ?? '',
    // A due time set over the API or by the agent stays unless the day changes.
    due: task?.due_at === undefined ? '' : dayOf(task.due_at),
    documentId: task?.document_id ?? '',
  }));
  const [seen] = useState(() => seenState<Partial<Task>>(task ?? {}));
  const [title, setTitle] = useState(opened.title);
  const [description, setDescription] = useState(opened.description);
  const [due, setDue] = useState(opened.due);
  const [documentId, setDocumentId] = useState(opened.documentId);
  const saving = useChange(
    () => {
      const body = taskBody({ title, description, due, documentId });
      return task === undefined
        ? createTask(owner, body)
        : updateTask(owner, task.id, changedParts(body, taskBody(opened)), seen);
    },
    { refreshes: [tasksKey(owner)], onDone: onClose },
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={task === undefined ? 'New task' : 'Edit task'}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <TextField
          label="Title"
          required
          maxLength={300}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <TextAreaField
          label="Description"
          rows={3}
          maxLength={5000}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Due" type="date" value={due} onChange={(event) => setDue(event.target.value)} />
          <DocumentField value={documentId} onChange={setDocumentId} />
        </div>
        {saving.isError && <Notice tone="bad">{messageOf(saving.error)}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={saving.isPending || title.trim() === ''}>
            {task === undefined ? 'Add' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const orNull = (text: string): string | null => (text === '' ? null : text);

function taskBody(fields: Record<'title' | 'description' | 'due' | 'documentId', string>) {
  return {
    title: fields.title.trim(),
    description: orNull(fields.description.trim()),
    due_at: orNull(fields.due),
    document_id: orNull(fields.documentId),
  };
}

/** Offers the newest documents and the linked one. */
function DocumentField({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { orgId } = useSession();
  const newest = useQuery(documentListQuery(orgId, { skip: 0, limit: maxDocuments })).data?.documents ?? [];
  const isMissing = value !== '' && newest.every(({ id }) => id !== value);
  const linked = useQuery({ ...documentQuery(orgId, value), enabled: isMissing }).data;
  const documents = [...newest, ...(isMissing && linked ? [linked] : [])];
  const options = documents.map(({ id, document_name }) => ({ value: id, label: document_name }));
  const waiting = isMissing && !linked ? [{ value, label: 'The linked document' }] : [];
  return (
    <SelectField
      label="Document"
      value={value}
      options={[{ value: '', label: 'None' }, ...options, ...waiting]}
      onChange={onChange}
    />
  );
}
