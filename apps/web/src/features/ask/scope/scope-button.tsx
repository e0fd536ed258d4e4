import type { AskScope } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Filter } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import type { AskSearch } from '../../../shared/addresses/ask-search.ts';
import { collectionListQuery, collectionQuery } from '../../../shared/api/collections-api.ts';
import { tagQuery, tagsQuery } from '../../../shared/api/library-api.ts';
import { formatDay } from '../../../shared/formats/locale.ts';
import { useNewestPrompts, usePromptName } from '../../../shared/labels/use-prompt-name.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';

interface ScopeButtonProps {
  search: AskSearch;
  scope: AskScope | undefined;
  onScope: (search: AskSearch) => void;
}

/** Shows and changes the scope of the next question. */
export function ScopeButton({ search, scope, onScope }: ScopeButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const label = useScopeLabel(scope);
  return (
    <>
      <Button
        look={scope === undefined ? 'quiet' : 'secondary'}
        size="small"
        className="min-w-0 shrink"
        aria-label={`About: ${label}`}
        onClick={() => setIsOpen(true)}
      >
        <Filter aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate">{label}</span>
      </Button>
      {isOpen && <ScopeDialog search={search} onScope={onScope} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** A scope in words. */
function useScopeLabel(scope: AskScope | undefined): string {
  const { orgId } = useSession();
  const [tagId = ''] = scope?.tag_ids ?? [];
  const tag = useQuery({ ...tagQuery(orgId, tagId), enabled: tagId !== '' }).data;
  const collectionId = scope?.collection_id ?? '';
  const collection = useQuery({ ...collectionQuery(orgId, collectionId), enabled: collectionId !== '' }).data;
  const promptName = usePromptName();
  if (scope === undefined) return 'All documents';
  const { from, to, prompt_id, document_ids } = scope;
  const parts = [
    ...(collectionId === '' ? [] : [`Collection “${collection?.name ?? '…'}”`]),
    ...(tagId === '' ? [] : [`Tag “${tag?.name ?? '…'}”`]),
    ...(prompt_id === undefined ? [] : [`Results of “${promptName(prompt_id)}”`]),
    ...(document_ids === undefined ? [] : [`${document_ids.length} documents`]),
    ...(from === undefined ? [] : [`from ${formatDay(from)}`]),
    ...(to === undefined ? [] : [`to ${formatDay(to)}`]),
  ];
  return parts.join(', ');
}

/** Below a question: what it was about, unless that was everything. */
export function ScopeNote({ scope }: { scope: AskScope }) {
  return <p className="mt-1 text-xs text-ink-soft">About: {useScopeLabel(scope)}</p>;
}

const any = { value: '', label: 'Any' };

/** Most collections and tags that a select offers. */
const maxOffered = 100;

function ScopeDialog({
  search,
  onScope,
  onClose,
}: Pick<ScopeButtonProps, 'search' | 'onScope'> & { onClose: () => void }) {
  const { orgId } = useSession();
  const [draft, setDraft] = useState(search);
  const collections = useQuery(collectionListQuery(orgId, { skip: 0, limit: maxOffered })).data?.collections ?? [];
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const prompts = useNewestPrompts()?.prompts ?? [];
  const set = (name: keyof AskSearch) => (value: string) =>
    setDraft((present) => ({ ...present, [name]: value === '' ? undefined : value }));
  const apply = (next: AskSearch) => {
    onScope(next);
    onClose();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    apply(draft);
  };
  const { thread } = search;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="What is the question about?">
      <form onSubmit={onSubmit} className="flex flex-col gap-3">
        <SelectField
          label="Collection"
          value={draft.collection ?? ''}
          options={[any, ...collections.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={set('collection')}
        />
        <SelectField
          label="Tag"
          value={draft.tag ?? ''}
          options={[any, ...tags.map(({ tag_id, name }) => ({ value: tag_id, label: name }))]}
          onChange={set('tag')}
        />
        <SelectField
          label="Results of a prompt"
          value={draft.prompt ?? ''}
          options={[any, ...prompts.map(({ prompt_id, name }) => ({ value: prompt_id, label: name }))]}
          onChange={set('prompt')}
        />
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label="Uploaded from"
            type="date"
            value={draft.from ?? ''}
            onChange={(event) => set('from')(event.target.value)}
          />
          <TextField
            label="Uploaded to"
            type="date"
            value={draft.to ?? ''}
            onChange={(event) => set('to')(event.target.value)}
          />
        </div>
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="quiet" onClick={() => apply(thread === undefined ? {} : { thread })}>
            All documents
          </Button>
          <Button type="submit" look="primary">
            Use
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
