/** As much of a JSON Schema as the routes' own use. */
export interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  $ref?: string;
  additionalProperties?: JsonSchema | boolean;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: JsonSchema;
}

interface DocumentedOperation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: JsonSchema }> };
  responses: Record<string, unknown>;
}

/** One route of the server, as its OpenAPI document describes it. */
export interface Operation {
  /** Such as `PATCH /v0/orgs/{org_id}`. */
  name: string;
  method: string;
  path: string;
  pathParameters: string[];
  query: { name: string; schema: JsonSchema }[];
  /** Undefined where it takes none. */
  body: JsonSchema | undefined;
  /** Those that it names one by one. */
  statuses: number[];
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
}

export function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      pathParameters: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      query: parameters.filter((parameter) => parameter.in === 'query'),
      body: requestBody?.content['application/json']?.schema ?? (requestBody === undefined ? undefined : {}),
      statuses: Object.keys(responses).map(Number).filter(Number.isInteger),
    })),
  );
}
