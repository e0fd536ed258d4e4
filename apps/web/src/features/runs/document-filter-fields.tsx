import type { DocumentFilter, DocumentState } from '@docwright/contract';
import { stateNames } from '../../shared/formats/document-state-labels.ts';
import { TagChoice } from '../../shared/labels/tag-choice.tsx';
import { CheckField } from '../../shared/ui/fields/check-field.tsx';
import { Chip, Chips, withToggled } from '../../shared/ui/fields/chips.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';

interface DocumentFilterFieldsProps {
  filter: DocumentFilter;
  onChange: (filter: DocumentFilter) => void;
  /** The server's error message. */
  error?: string | undefined;
  /** What counts as a result here; if undefined, only tags and names can be filtered. */
  resultNote?: string;
}

/** The fields of a document filter; an empty field matches all documents. */
export function DocumentFilterFields({ filter, onChange, error, resultNote }: DocumentFilterFieldsProps) {
  const { tag_ids = [], states = [], name_search = '', without_result = false } = filter;
  const change = (part: { [Key in keyof DocumentFilter]?: DocumentFilter[Key] | undefined }) =>
    onChange(withoutEmptyParts({ ...filter, ...part }));
  return (
    <div className="flex flex-col gap-4">
      <TagChoice
        legend="Tags"
        note="Documents with all of these tags."
        error={error}
        value={tag_ids}
        onChange={(next) => change({ tag_ids: next })}
      />
      {resultNote !== undefined && (
        <Chips legend="States" note="Documents in any of these states; all documents if none is selected.">
          {Object.entries(stateNames).map(([value, { label }]) => {
            const state = value as DocumentState;
            return (
              <Chip
                key={value}
                checked={states.includes(state)}
                onChange={() => change({ states: withToggled(states, state) })}
              >
                {label}
              </Chip>
            );
          })}
        </Chips>
      )}
      <TextField
        label="Part of the name"
        maxLength={200}
        value={name_search}
        onChange={(event) => change({ name_search: event.target.value })}
      />
      {resultNote !== undefined && (
        <CheckField
          label="Only documents without a result"
          checked={without_result}
          onChange={(checked) => change({ without_result: checked })}
        >
          {resultNote}
        </CheckField>
      )}
    </div>
  );
}

/** The filter without its empty parts. */
function withoutEmptyParts(filter: {
  [Key in keyof DocumentFilter]?: DocumentFilter[Key] | undefined;
}): DocumentFilter {
  const { tag_ids = [], states = [], name_search = '', without_result = false } = filter;
  return {
    ...(tag_ids.length === 0 ? {} : { tag_ids }),
    ...(states.length === 0 ? {} : { states }),
    ...(name_search === '' ? {} : { name_search }),
    ...(without_result ? { without_result } : {}),
  };
}
