import { useQuery } from '@tanstack/react-query';
import { sourceListQuery } from '../../../shared/api/sources-api.ts';
import { useNewestPrompts } from '../../../shared/labels/use-prompt-name.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Chip, Chips, withToggled } from '../../../shared/ui/fields/chips.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { TextAreaField } from '../../../shared/ui/fields/text-area-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import type { RoutePartProps } from './route-draft.ts';
import { kindLabel, kindOptions } from './route-labels.ts';
import { newestSources } from './use-route-names.ts';

/** A choice of one object, which keeps one that is not listed any more. */
function options(value: string, any: string, listed: { value: string; label: string }[]) {
  const isListed = value === '' || listed.some((option) => option.value === value);
  return [{ value: '', label: any }, ...(isListed ? [] : [{ value, label: 'The one that was chosen' }]), ...listed];
}

/** Which documents a route takes: all that is given must hold. */
export function WhenFields({ draft, problems, onChange }: RoutePartProps) {
  const { orgId } = useSession();
  const prompts = useNewestPrompts()?.prompts ?? [];
  const sources = useQuery(sourceListQuery(orgId, newestSources)).data?.sources ?? [];
  const usual = new Set(['application/pdf', 'image/jpeg', 'image/png', 'message/rfc822', ...draft.mimeTypes]);
  const kinds = (isUsual: boolean) =>
    [
      ...kindOptions,
      ...draft.mimeTypes.flatMap((value) => (kindLabel(value) === value ? [{ value, label: value }] : [])),
    ]
      .filter(({ value }) => usual.has(value) === isUsual)
      .map(({ value, label }) => (
        <Chip
          key={value}
          checked={draft.mimeTypes.includes(value)}
          onChange={() => onChange({ mimeTypes: withToggled(draft.mimeTypes, value) })}
        >
          {label}
        </Chip>
      ));
  const hasMore =
    draft.metadataPatterns !== '' || draft.minPages !== '' || draft.maxPages !== '' || draft.likePromptId !== '';
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-sm font-semibold">
        When <span className="font-normal text-ink-soft">all of this holds; an empty field takes every document</span>
      </legend>
      <TextAreaField
        label="Words in the text"
        rows={3}
        maxLength={10_000}
        value={draft.words}
        placeholder={'invoice\nvat number'}
        help="A word or phrase in each line. Each must stand in the text."
        onChange={(event) => onChange({ words: event.target.value })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Name matches"
          maxLength={500}
          value={draft.nameMatches}
          placeholder="^(RE|INV)-\d+"
          help="A regular expression, found anywhere in the name."
          onChange={(event) => onChange({ nameMatches: event.target.value })}
        />
        <SelectField
          label="Source"
          value={draft.sourceId}
          options={options(
            draft.sourceId,
            'Any source',
            sources.filter(({ connector }) => connector).map(({ id, name }) => ({ value: id, label: name })),
          )}
          onChange={(sourceId) => onChange({ sourceId })}
        />
      </div>
      <TextField
        label="Described as"
        maxLength={500}
        value={draft.describedAs}
        placeholder="A letter in which a tenant gives notice."
        help="One sentence that a model judges. This costs a request for each new document."
        onChange={(event) => onChange({ describedAs: event.target.value })}
      />
      <details open={hasMore || undefined}>
        <summary className="cursor-pointer rounded-sm text-sm font-medium">More conditions</summary>
        <div className="mt-3 flex flex-col gap-3">
          <SelectField
            label="Like the verified documents of"
            value={draft.likePromptId}
            options={options(
              draft.likePromptId,
              'No prompt',
              prompts.map(({ prompt_id, name }) => ({ value: prompt_id, label: name })),
            )}
            help="Compares words. No model is asked."
            onChange={(likePromptId) => onChange({ likePromptId })}
          />
          <Chips legend="Kinds of files" note="Any of these; every kind if none is chosen.">
            {kinds(true)}
            {kinds(false)}
          </Chips>
          <div className="grid grid-cols-2 gap-3 sm:w-96">
            <TextField
              label="Pages from"
              type="number"
              min={0}
              value={draft.minPages}
              onChange={(event) => onChange({ minPages: event.target.value })}
            />
            <TextField
              label="to"
              type="number"
              min={0}
              value={draft.maxPages}
              error={problems.maxPages}
              onChange={(event) => onChange({ maxPages: event.target.value })}
            />
          </div>
          <TextAreaField
            label="Metadata"
            code
            rows={2}
            maxLength={20_000}
            value={draft.metadataPatterns}
            placeholder="sender: @acme\.com$"
            help="A line for each key, with a regular expression. Mail has sender, subject, date and message_id."
            error={problems.metadataPatterns}
            onChange={(event) => onChange({ metadataPatterns: event.target.value })}
          />
        </div>
      </details>
    </fieldset>
  );
}
