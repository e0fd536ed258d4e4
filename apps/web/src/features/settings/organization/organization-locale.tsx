import { meQuery } from '../../../shared/api/account/identity-api.ts';
import { changeOrganization, type OrganizationChange } from '../../../shared/api/account/organization-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { useChange } from '../../../shared/page/use-change.ts';

const languages = [
  'cs',
  'da',
  'de',
  'en',
  'es',
  'fi',
  'fr',
  'hu',
  'it',
  'ja',
  'nl',
  'no',
  'pl',
  'pt',
  'sv',
  'tr',
  'zh',
];
const notSet = '';

/** Time zone and language for runs and programs, which have no browser that says them. */
export function OrganizationLocale() {
  const { organization, orgId } = useSession();
  const changing = useChange((change: OrganizationChange) => changeOrganization(orgId, change), {
    refreshes: [meQuery.queryKey],
    showsError: true,
  });
  const shown = changing.isPending ? { ...organization, ...changing.variables } : organization;
  return (
    <div className="flex max-w-xl flex-col gap-3">
      <SelectField
        label="Time zone"
        help="For dates such as today, in runs and for programs. Your browser says its own."
        value={shown.time_zone ?? notSet}
        options={[
          { value: notSet, label: 'Not set (UTC)' },
          ...withValue(Intl.supportedValuesOf('timeZone'), shown.time_zone).map((zone) => ({
            value: zone,
            label: zone,
          })),
        ]}
        onChange={(value) => changing.mutate({ time_zone: value === notSet ? null : value })}
      />
      <SelectField
        label="Language of answers"
        help="In runs and for programs. In a conversation the agent answers in the language that you write."
        value={shown.language ?? notSet}
        options={[
          { value: notSet, label: 'Not set' },
          ...withValue(languages, shown.language).map((tag) => ({ value: tag, label: nameOf(tag) })),
        ]}
        onChange={(value) => changing.mutate({ language: value === notSet ? null : value })}
      />
    </div>
  );
}

/** The options, with a value that a program has set. */
function withValue(options: readonly string[], value: string | null): readonly string[] {
  return value === null || options.includes(value) ? options : [value, ...options];
}

function nameOf(tag: string): string {
  return new Intl.DisplayNames(undefined, { type: 'language' }).of(tag) ?? tag;
}
