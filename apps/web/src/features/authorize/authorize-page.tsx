import type { OAuthRequest, TokenScope } from '@docwright/contract';
import { useMutation, useQuery, queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { authorizationRequest } from '../../shared/addresses/authorization-request.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { Page, panelClass } from '../../shared/page/page.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { CheckField } from '../../shared/ui/fields/check-field.tsx';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { requestJson } from '../../shared/http/http.ts';

const rights: Partial<Record<TokenScope, { label: string; note: string }>> = {
  read: { label: 'Read', note: 'See your documents, results, schemas, prompts and tasks.' },
  propose: { label: 'Propose', note: 'Upload, and propose changes. They wait until you approve them.' },
  decide: { label: 'Decide', note: 'Approve changes and make them without asking you.' },
};

/** Where a person lets a program in that sent them here, or does not. */
export function AuthorizePage() {
  const asked = useQuery(oauthRequestQuery(authorizationRequest));
  return (
    <Page title="Connect a program">
      {asked.data && <Consent asked={asked.data} />}
      {asked.isPending && <Spinner label="Loading" className="text-ink-faint" />}
      {asked.isError && (
        <Notice tone="bad" className="max-w-xl">
          {messageOf(asked.error)}
        </Notice>
      )}
    </Page>
  );
}

function Consent({ asked }: { asked: OAuthRequest }) {
  const { me, orgId } = useSession();
  const writable = me.organizations.filter(({ role }) => role !== 'viewer');
  const [organization, setOrganization] = useState(
    () => (writable.find(({ id }) => id === orgId) ?? writable[0])?.id ?? '',
  );
  // Whoever proposes does not also decide, unless the person says so.
  const [scopes, setScopes] = useState<TokenScope[]>(asked.scopes.filter((scope) => scope !== 'decide'));
  const granting = useMutation({
    mutationFn: () => grantOAuthRequest(organization, authorizationRequest, scopes),
    onSuccess: ({ redirect_to }) => window.location.assign(redirect_to),
  });
  if (writable.length === 0) {
    return <Notice tone="warn">As a viewer you cannot connect programs. Ask an admin for the role member.</Notice>;
  }
  return (
    <section aria-label="What the program asks for" className={`${panelClass} flex max-w-xl flex-col gap-4 p-4`}>
      <p className="text-sm wrap-anywhere">
        <strong>{asked.client_name}</strong> wants to use Docwright in your name. You are sent back to{' '}
        <strong>{asked.place}</strong>. Go on only if you started this.
      </p>
      <SelectField
        label="Organization"
        options={writable.map(({ id, name }) => ({ value: id, label: name }))}
        value={organization}
        onChange={setOrganization}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-sm font-medium">It may</legend>
        {asked.scopes.map((scope) => (
          <CheckField
            key={scope}
            label={rights[scope]?.label ?? scope}
            checked={scopes.includes(scope)}
            onChange={(next) =>
              setScopes(asked.scopes.filter((each) => (each === scope ? next : scopes.includes(each))))
            }
          >
            {rights[scope]?.note}
          </CheckField>
        ))}
      </fieldset>
      <p className="text-xs text-ink-soft">
        It gets an access token for 30 days, which you can revoke in the settings.
      </p>
      {granting.isError && <Notice tone="bad">{messageOf(granting.error)}</Notice>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => window.location.assign(asked.denied_redirect_to)}>Cancel</Button>
        <Button look="primary" disabled={granting.isPending || scopes.length === 0} onClick={() => granting.mutate()}>
          Connect
        </Button>
      </div>
    </section>
  );
}

/** What a program asks for; `search` is the query that it sent the browser with. */
const oauthRequestQuery = (search: string) =>
  queryOptions({
    queryKey: ['oauth-request', search],
    queryFn: ({ signal }) => requestJson<OAuthRequest>(`/v0/oauth/request${search}`, { signal }),
    retry: false,
  });

/** Lets the program in; answers the address to continue at. */
function grantOAuthRequest(
  orgId: string,
  search: string,
  scopes: readonly TokenScope[],
): Promise<{ redirect_to: string }> {
  const body = { ...Object.fromEntries(new URLSearchParams(search)), scopes };
  return requestJson(`/v0/orgs/${orgId}/oauth_grants`, { method: 'POST', body });
}
