/** The parts of JSON Schema that our routes use. */
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

/** A route in the OpenAPI document. */
export interface Operation {
  /** Such as `PATCH /v0/orgs/{org_id}`. */
  name: string;
  method: string;
  path: string;
  pathParameters: string[];
  query: { name: string; schema: JsonSchema }[];
  /** Undefined if it takes none. */
  body: JsonSchema | undefined;
  /** The declared ones. */
  statuses: number[];
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, JsonSchema> };
}

export function operationsOf({ paths, components }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      pathParameters: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      query: parameters.filter((parameter) => parameter.in === 'query'),
      body:
        requestBody === undefined
          ? undefined
          : whole(requestBody.content['application/json']?.schema ?? {}, components.schemas),
      statuses: Object.keys(responses).map(Number).filter(Number.isInteger),
    })),
  );
}

/** The schema with its references resolved. No schema refers to itself. */
function whole(schema: JsonSchema, named: Record<string, JsonSchema>): JsonSchema {
  const { $ref } = schema;
  if ($ref !== undefined) return whole(named[$ref.replace('#/components/schemas/', '')] ?? {}, named);
  const each = (schemas: JsonSchema[]) => schemas.map((one) => whole(one, named));
  return {
    ...schema,
    ...(schema.anyOf && { anyOf: each(schema.anyOf) }),
    ...(schema.oneOf && { oneOf: each(schema.oneOf) }),
    ...(schema.items && { items: whole(schema.items, named) }),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, value]) => [name, whole(value, named)]),
      ),
    }),
  };
}
