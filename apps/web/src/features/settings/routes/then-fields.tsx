import { TagChoice } from '../../../shared/labels/tag-choice.tsx';
import { CheckField } from '../../../shared/ui/fields/check-field.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { TextAreaField } from '../../../shared/ui/fields/text-area-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import type { RouteDraft, RoutePartProps, StartsOnArrival } from './route-draft.ts';

const starts: { value: StartsOnArrival; label: string }[] = [
  { value: 'tags', label: 'What its tags say' },
  { value: 'prompts', label: 'Run the prompts of its tags' },
  { value: 'proposal', label: 'Make a proposal' },
  { value: 'both', label: 'Run the prompts of its tags, and make a proposal' },
  { value: 'nothing', label: 'Nothing' },
];

const splits: { value: RouteDraft['split']; label: string }[] = [
  { value: '', label: 'Leave it whole' },
  { value: 'propose', label: 'Propose where its documents begin' },
  { value: 'apply', label: 'Split where it is sure, else propose' },
];

/** What a document gets. */
export function ThenFields({ draft, problems, onChange }: RoutePartProps) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-sm font-semibold">Then</legend>
      <TagChoice
        legend="Tags"
        note="The document gets all of these."
        value={draft.tagIds}
        onChange={(tagIds) => onChange({ tagIds })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="Starts on arrival"
          value={draft.starts}
          options={starts}
          help="A tag says on its own page whether it runs its prompts."
          onChange={(value) => onChange({ starts: value as StartsOnArrival })}
        />
        <SelectField
          label="A scan of several documents"
          value={draft.split}
          options={splits}
          help="The parts are routed in turn, once."
          onChange={(value) => onChange({ split: value as RouteDraft['split'] })}
        />
      </div>
      <TextField
        label="New name"
        maxLength={255}
        value={draft.newName}
        placeholder="{date} {sender} {original}"
        help="{original} is its present name, {date} the day of its upload, {sender} the sender of its mail."
        onChange={(event) => onChange({ newName: event.target.value })}
      />
      <TextAreaField
        label="Set metadata"
        code
        rows={2}
        maxLength={60_000}
        value={draft.metadata}
        placeholder="department: Purchasing"
        help="A line for each key. Keys that the document has keep their value."
        error={problems.metadata}
        onChange={(event) => onChange({ metadata: event.target.value })}
      />
      <CheckField
        label="Keep it from models"
        checked={draft.neverToModel}
        onChange={(neverToModel) => onChange({ neverToModel })}
      >
        Nothing of the document is sent to a model, except to local ones. Only an admin can allow it again.
      </CheckField>
    </fieldset>
  );
}
