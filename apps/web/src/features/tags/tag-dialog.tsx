import type { Tag } from '@docwright/contract';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import { seenState } from '../../shared/http/seen-state.ts';
import { saveTag, tagsKey } from '../../shared/api/tags-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { CheckField } from '../../shared/ui/fields/check-field.tsx';
import { TextAreaField } from '../../shared/ui/fields/text-area-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { useChange } from '../../shared/page/use-change.ts';

interface TagDialogProps {
  /** Absent for a new tag. */
  tag?: Tag;
  onClose: () => void;
}

export function TagDialog({ tag: present, onClose }: TagDialogProps) {
  const { orgId } = useSession();
  // The user changes the tag as it was opened: what others save meanwhile is no change of this form.
  const [tag] = useState(present);
  const [seen] = useState(() => seenState<Partial<Tag>>(present ?? {}));
  const initialColor = tag?.color ?? tagColors[7]!.value;
  const [name, setName] = useState(tag?.name ?? '');
  const [color, setColor] = useState(initialColor);
  const [description, setDescription] = useState(tag?.description ?? '');
  const [runsPrompts, setRunsPrompts] = useState(tag?.on_arrival?.run_prompts ?? false);
  const [proposes, setProposes] = useState(tag?.on_arrival?.auto_create ?? false);
  const [keeps, setKeeps] = useState(tag?.never_to_model ?? false);
  const startsSomething = runsPrompts || proposes;
  const saving = useChange(
    () =>
      saveTag(
        orgId,
        tag,
        {
          name: name.trim(),
          color,
          description: description.trim(),
          ...((startsSomething || tag?.on_arrival !== undefined) && {
            on_arrival: { run_prompts: runsPrompts, ...(proposes && { auto_create: true }) },
          }),
          ...(keeps !== (tag?.never_to_model ?? false) && { never_to_model: keeps }),
        },
        seen,
      ),
    { refreshes: [tagsKey(orgId)], onDone: onClose },
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={tag === undefined ? 'New tag' : 'Edit tag'}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <TextField
          label="Name"
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ColorChoice value={color} initial={initialColor} onChange={setColor} />
        <TextAreaField
          label="Description"
          rows={3}
          maxLength={2000}
          value={description}
          help="When to use it: people and the agent read this."
          onChange={(event) => setDescription(event.target.value)}
        />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-sm font-medium">When a document gets this tag</legend>
          <CheckField label="Run the prompts with this tag" checked={runsPrompts} onChange={setRunsPrompts}>
            The newest version of each, once for each document.
          </CheckField>
          <CheckField label="Make a proposal" checked={proposes} onChange={setProposes}>
            The agent prepares the document, and you accept or reject the result.
          </CheckField>
          <CheckField label="Keep it from models" checked={keeps} onChange={setKeeps}>
            No model sees it, except one in the house. Documents that have the tag are kept too, and only an admin takes
            this back.
          </CheckField>
        </fieldset>
        {saving.isError && <Notice tone="bad">{messageOf(saving.error)}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={saving.isPending || name.trim() === ''}>
            {tag === undefined ? 'Create' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ColorChoiceProps {
  value: string;
  /** The tag's current colour, offered even if the palette does not have it. */
  initial: string;
  onChange: (color: string) => void;
}

function ColorChoice({ value, initial, onChange }: ColorChoiceProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Colour</legend>
      <div className="flex flex-wrap gap-1.5">
        {colorsWith(initial).map((color) => (
          <label
            key={color.value}
            title={color.name}
            className="flex size-8 cursor-pointer items-center justify-center rounded-md border-2 border-transparent hover:bg-hover has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="tag-color"
              value={color.value}
              aria-label={color.name}
              checked={value.toLowerCase() === color.value}
              onChange={() => onChange(color.value)}
              className="sr-only"
            />
            <span aria-hidden className="size-5 rounded-full" style={{ backgroundColor: color.value }} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Distinguishable in both themes, and each has a name. */
const tagColors = [
  { value: '#dc2626', name: 'Red' },
  { value: '#ea580c', name: 'Orange' },
  { value: '#d97706', name: 'Amber' },
  { value: '#65a30d', name: 'Lime' },
  { value: '#16a34a', name: 'Green' },
  { value: '#0d9488', name: 'Teal' },
  { value: '#0891b2', name: 'Cyan' },
  { value: '#2563eb', name: 'Blue' },
  { value: '#4f46e5', name: 'Indigo' },
  { value: '#7c3aed', name: 'Violet' },
  { value: '#c026d3', name: 'Fuchsia' },
  { value: '#db2777', name: 'Pink' },
];

/** The palette, after the tag's current colour if that is another one. */
function colorsWith(color: string): { value: string; name: string }[] {
  const isPreset = tagColors.some(({ value }) => value === color.toLowerCase());
  return isPreset ? tagColors : [{ value: color.toLowerCase(), name: `Keep ${color}` }, ...tagColors];
}
