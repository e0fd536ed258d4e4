import type { AnswerOf, BodyOf, OperationName, QueryOf } from '@docwright/contract';

/*
 * The types of a request follow from the operation that its method and path name. They are types alone: the table of the
 * operations is not part of the page.
 */

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A path with `*` for each of its parameters, and for each value of a template. */
type Shape<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? `${SegmentShape<Segment>}/${Shape<Rest>}`
  : SegmentShape<Path>;
type SegmentShape<Segment extends string> = Segment extends `:${string}`
  ? '*'
  : string extends Segment
    ? '*'
    : `${number}` extends Segment
      ? '*'
      : Segment;

type NamesByShape = { [Name in OperationName as Shape<Name>]: Name };

/** The operation with this method and path; never if it does not exist. */
type NameOf<Method extends HttpMethod, Path extends string> = [Shape<`${Method} ${Path}`>] extends [keyof NamesByShape]
  ? NamesByShape[Shape<`${Method} ${Path}`>]
  : never;

/** The query of an operation; a value that is undefined is not sent. */
export type QueryFor<Name extends OperationName> = { [Key in keyof QueryOf<Name>]: QueryOf<Name>[Key] | undefined };

type QueryPart<Name extends OperationName> =
  QueryOf<Name> extends undefined
    ? { query?: undefined }
    : object extends QueryOf<Name>
      ? { query?: QueryFor<Name> }
      : { query: QueryFor<Name> };
type BodyPart<Body> = undefined extends Body ? { body?: Body } : { body: Body };

type PartsOf<Name extends OperationName> = [Name] extends [never]
  ? { operation: 'No operation has this method and path.' }
  : BodyPart<BodyOf<Name>> &
      QueryPart<Name> &
      (Name extends `${string} /api/${string}` ? { orgId: string } : { orgId?: undefined });

/** What a request takes beside its path. Paths below `/api` name no organization: it is given by its id. */
export type DescribedOptions<Method extends HttpMethod, Path extends string> = {
  method?: Method;
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
} & PartsOf<NameOf<Method, Path>>;

export type SendDescribed = <const Path extends string, Method extends HttpMethod = 'GET'>(
  path: Path,
  options: DescribedOptions<Method, Path>,
) => Promise<Response>;

export type RequestDescribed = <const Path extends string, Method extends HttpMethod = 'GET'>(
  path: Path,
  options: DescribedOptions<Method, Path>,
) => Promise<AnswerOf<NameOf<Method, Path>>>;
