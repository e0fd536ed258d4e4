import type { OnDuplicate } from '@docwright/contract';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { seenState } from '../../../shared/http/seen-state.ts';
import { meQuery } from '../../../shared/api/account/identity-api.ts';
import { changeOrganization, type OrganizationChange } from '../../../shared/api/account/organization-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { CheckField } from '../../../shared/ui/fields/check-field.tsx';
import { SelectField } from '../../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { InvitationSettings } from './invitation-settings.tsx';
import { MeasuringFields } from '../measuring/measuring-fields.tsx';
import { MemberSettings } from './member-settings.tsx';
import { OrganizationLocale } from './organization-locale.tsx';
import { PageSection } from '../../../shared/page/page-section.tsx';
import { useChange } from '../../../shared/page/use-change.ts';
import { UnsavedGuard } from '../../../shared/ui/dialogs/unsaved-guard.tsx';

const duplicateChoices: { value: OnDuplicate; label: string }[] = [
  { value: 'mark', label: 'Become duplicates, which are not read' },
  { value: 'refuse', label: 'Are refused' },
  { value: 'keep', label: 'Become documents like any other' },
];

export function OrganizationSettings() {
  const { organization } = useSession();
  return (
    <>
      <PageSection title="Organization">
        {organization.role === 'admin' ? (
          <>
            <OrganizationName key={organization.id} />
            <OrganizationFlags />
            <OrganizationLocale />
          </>
        ) : (
          <p className="text-sm wrap-anywhere">{organization.name}</p>
        )}
      </PageSection>
      {organization.role === 'admin' && (
        <PageSection
          title="Measured changes"
          note="A changed prompt or schema can be tried on verified results before it is approved."
        >
          <MeasuringFields key={organization.id} />
        </PageSection>
      )}
      {organization.role === 'admin' && (
        <PageSection title="Conversations">
          <ConversationFields key={organization.id} />
        </PageSection>
      )}
      <MemberSettings />
      {organization.role === 'admin' && <InvitationSettings />}
    </>
  );
}

function OrganizationName() {
  const { organization, orgId } = useSession();
  const [seen] = useState(() => seenState<object>(organization));
  const [typed, setTyped] = useState<string>();
  const name = typed ?? organization.name;
  const renaming = useChange(() => changeOrganization(orgId, { name: name.trim() }, seen), {
    refreshes: [meQuery.queryKey],
    says: 'Organization renamed.',
    onDone: () => setTyped(undefined),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    renaming.mutate();
  };
  const same = name.trim() === organization.name;
  return (
    <form onSubmit={onSubmit} className="flex max-w-xl items-end gap-2">
      <UnsavedGuard dirty={!same && !renaming.isPending} />
      <TextField
        label="Name"
        className="flex-1"
        required
        maxLength={200}
        value={name}
        error={renaming.isError ? messageOf(renaming.error) : undefined}
        onChange={(event) => {
          if (typed === undefined) seen.saw(organization);
          setTyped(event.target.value);
        }}
      />
      <Button type="submit" disabled={renaming.isPending || same || name.trim() === ''}>
        Rename
      </Button>
    </form>
  );
}

/** Defaults for uploads and their preparation, and how members sign in. */
function OrganizationFlags() {
  const { organization, orgId } = useSession();
  const changing = useChange((change: OrganizationChange) => changeOrganization(orgId, change), {
    refreshes: [meQuery.queryKey],
    showsError: true,
  });
  const shown = changing.isPending ? { ...organization, ...changing.variables } : organization;
  return (
    <>
      <CheckField
        label="Prepare uploads automatically"
        checked={shown.auto_create_default}
        disabled={changing.isPending}
        onChange={(next) => changing.mutate({ auto_create_default: next })}
      >
        The agent makes a schema and a prompt for each upload and extracts with them. You accept or reject it; each
        upload can say otherwise.
      </CheckField>
      <CheckField
        label="Steps that need approval wait in the Inbox"
        checked={shown.auto_create_on_ask === 'park'}
        disabled={changing.isPending}
        onChange={(next) => changing.mutate({ auto_create_on_ask: next ? 'park' : 'deny' })}
      >
        While uploads are prepared, a step that a rule asks about waits for a decision. Without this, it is refused and
        the agent continues without it.
      </CheckField>
      <SelectField
        label="Files that are here already"
        className="max-w-sm"
        value={shown.on_duplicate ?? 'mark'}
        options={duplicateChoices}
        disabled={changing.isPending}
        help="A duplicate has no text and no cost, until you make it a document of its own."
        onChange={(next) => changing.mutate({ on_duplicate: next as OnDuplicate })}
      />
      <CheckField
        label="Require two-step sign-in"
        checked={shown.require_second_factor}
        disabled={changing.isPending}
        onChange={(next) => changing.mutate({ require_second_factor: next })}
      >
        Members reach this organization only after a sign-in with a code. Access tokens keep working.
      </CheckField>
    </>
  );
}

/** How long conversations with the agents are kept. */
function ConversationFields() {
  const { organization, orgId } = useSession();
  const saved = organization.keep_conversations_days === null ? '' : String(organization.keep_conversations_days);
  const [seen] = useState(() => seenState<object>(organization));
  const [typed, setTyped] = useState<string>();
  const days = typed ?? saved;
  const saving = useChange(
    () => changeOrganization(orgId, { keep_conversations_days: days === '' ? null : Number(days) }, seen),
    { refreshes: [meQuery.queryKey], says: 'Saved.', onDone: () => setTyped(undefined) },
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form onSubmit={onSubmit} aria-label="Conversations" className="flex max-w-xl flex-col gap-3">
      <UnsavedGuard dirty={days !== saved && !saving.isPending} />
      <TextField
        label="Days to keep unused conversations"
        type="number"
        min={1}
        max={3_650}
        step={1}
        className="max-w-60"
        help="Of all members, with every agent. Removed conversations cannot be restored. Empty keeps them for ever."
        value={days}
        error={saving.isError ? messageOf(saving.error) : undefined}
        onChange={(event) => {
          if (typed === undefined) seen.saw(organization);
          setTyped(event.target.value);
        }}
      />
      <div>
        <Button type="submit" disabled={saving.isPending || days === saved}>
          Save
        </Button>
      </div>
    </form>
  );
}
