import type { AnswerOf, BodyOf, OperationName, QueryOf } from '@docwright/contract';
import { pathOf, queryString, type Query } from './address.ts';
import type { CallOptions, RequestOptions, Transport } from './transport.ts';

/** One id for each parameter of the path but that of the organization, which the client knows. */
type Ids<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? [...Id<Name>, ...Ids<Rest>]
  : Path extends `${string}:${infer Name}`
    ? Id<Name>
    : [];
type Id<Name extends string> = Name extends 'org_id' ? [] : [id: string];

/** What a call takes between its ids and its options. */
type PartOf<Name extends OperationName> =
  BodyOf<Name> extends undefined ? (QueryOf<Name> extends undefined ? undefined : 'query') : 'body';
type Given<Name extends OperationName> =
  PartOf<Name> extends 'query'
    ? object extends QueryOf<Name>
      ? [query?: QueryOf<Name>]
      : [query: QueryOf<Name>]
    : PartOf<Name> extends 'body'
      ? undefined extends BodyOf<Name>
        ? [body?: BodyOf<Name>]
        : [body: BodyOf<Name>]
      : [];

/** A call of one operation: its ids in the order of the path, its query or body, and options. */
export type Operation<Name extends OperationName> = (
  ...args: [...Ids<Name>, ...Given<Name>, options?: CallOptions]
) => Promise<AnswerOf<Name> extends undefined ? void : AnswerOf<Name>>;

/** Makes the call of an operation. `part` says what it takes between its ids and its options. */
export type MakeOperation = <Name extends OperationName>(
  name: Name,
  ...rest: PartOf<Name> extends undefined
    ? [part?: undefined, defaults?: CallOptions]
    : [part: PartOf<Name>, defaults?: CallOptions]
) => Operation<Name>;

/** Makes calls of one server. The path or a header names the organization, as the operation needs it. */
export function createOperations(
  transport: Transport,
  organizationId: (options?: CallOptions) => Promise<string>,
): MakeOperation {
  return <Name extends OperationName>(name: Name, part?: 'query' | 'body', defaults?: CallOptions) => {
    const [method, path] = name.split(' ') as [NonNullable<RequestOptions['method']>, string];
    const segments = path.slice(1).split('/');
    const needsHeader = path.startsWith('/api/');
    const needsOrganization = needsHeader || segments.includes(':org_id');

    async function call(...args: unknown[]): Promise<unknown> {
      const next = () => args.shift();
      const ids = segments.map((segment) => (segment.startsWith(':') && segment !== ':org_id' ? next() : segment));
      const given = part === undefined ? undefined : next();
      const options: CallOptions = { ...defaults, ...(next() as CallOptions | undefined) };
      const organization = needsOrganization ? await organizationId(options) : '';
      const address = pathOf(ids.map((id) => (id === ':org_id' ? organization : (id as string))));
      return await transport.json(part === 'query' ? address + queryString({ ...(given as Query) }) : address, {
        ...options,
        method,
        ...(part === 'body' && { body: given }),
        ...(needsHeader && { headers: { 'x-org-id': organization } }),
      });
    }
    return call as Operation<Name>;
  };
}
