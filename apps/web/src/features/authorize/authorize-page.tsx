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
import { requestUndescribed } from '../../shared/http/http.ts';

const rights: Partial<Record<TokenScope, { label: string; note: string }>> = {
  read: { label: 'Read', note: 'See your documents, results, schemas, prompts and tasks.' },
  propose: { label: 'Propose', note: 'Upload, and propose changes. They wait until you approve them.' },
  decide: { label: 'Decide', note: 'Approve changes and make them without asking you.' },
};

/** OAuth consent: the user allows or denies a program's request. */
export function AuthorizePage() {
  const request = useQuery(oauthRequestQuery(authorizationRequest));
  return (
    <Page title="Connect a program">
      {request.data && <Consent request={request.data} />}
      {request.isPending && <Spinner label="Loading" className="text-ink-faint" />}
      {request.isError && (
        <Notice tone="bad" className="max-w-xl">
          {messageOf(request.error)}
        </Notice>
      )}
    </Page>
  );
}

function Consent({ request }: { request: OAuthRequest }) {
  const { me, orgId } = useSession();
  const writable = me.organizations.filter(({ role }) => role !== 'viewer');
  const [organization, setOrganization] = useState(
    () => (writable.find(({ id }) => id === orgId) ?? writable[0])?.id ?? '',
  );
  // A program that proposes changes does not also approve them unless the user opts in.
  const [scopes, setScopes] = useState<TokenScope[]>(request.scopes.filter((scope) => scope !== 'decide'));
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
        <strong>{request.client_name}</strong> wants to use Docwright in your name. You are sent back to{' '}
        <strong>{request.place}</strong>. Continue only if you started this.
      </p>
      <SelectField
        label="Organization"
        options={writable.map(({ id, name }) => ({ value: id, label: name }))}
        value={organization}
        onChange={setOrganization}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-sm font-medium">It can</legend>
        {request.scopes.map((scope) => (
          <CheckField
            key={scope}
            label={rights[scope]?.label ?? scope}
            checked={scopes.includes(scope)}
            onChange={(next) =>
              setScopes(request.scopes.filter((other) => (other === scope ? next : scopes.includes(other))))
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
        <Button onClick={() => window.location.assign(request.denied_redirect_to)}>Cancel</Button>
        <Button look="primary" disabled={granting.isPending || scopes.length === 0} onClick={() => granting.mutate()}>
          Connect
        </Button>
      </div>
    </section>
  );
}

/** Details of an authorization request; `search` is its query string. */
const oauthRequestQuery = (search: string) =>
  queryOptions({
    queryKey: ['oauth-request', search],
    queryFn: ({ signal }) => requestUndescribed<OAuthRequest>(`/v0/oauth/request${search}`, { signal }),
    retry: false,
  });

/** Grants the request; answers with the URL to continue at. */
function grantOAuthRequest(
  orgId: string,
  search: string,
  scopes: readonly TokenScope[],
): Promise<{ redirect_to: string }> {
  const body = { ...Object.fromEntries(new URLSearchParams(search)), scopes };
  return requestUndescribed(`/v0/orgs/${orgId}/oauth_grants`, { method: 'POST', body });
}
