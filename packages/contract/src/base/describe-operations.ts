import type { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';

/** A method and a path, such as `PUT /v0/orgs/:org_id/tags/:tag_id`. */
type MethodAndPath = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** An answer that is not JSON alone: a file, a stream, or what the client asks for. */
interface MediaAnswer {
  description: string;
  content: Record<string, { schema: z.ZodType }>;
}

/** What the server, its OpenAPI document and every client know of one operation. */
export interface OperationDescription {
  operationId: string;
  summary: string;
  description?: string;
  /** Path parameters with another schema than `objectId`. */
  params?: Record<string, z.ZodType>;
  querystring?: z.ZodType;
  body?: z.ZodType;
  /** Its own error codes, besides those that follow from its path and method. */
  errors?: readonly ErrorCode[];
  /** By status. The lowest one is that of success. */
  response: Record<number, z.ZodType | MediaAnswer>;
}

/**
 * Describes the operations of one area, whose name is their tag in the OpenAPI document. Types of requests and answers
 * follow from the description, in the server and in clients.
 */
export function describeOperations<Described extends Record<MethodAndPath, OperationDescription>>(
  area: string,
  operations: Described,
): { [Name in keyof Described]: Described[Name] & { tags: string[] } } {
  const tagged = Object.entries(operations).map(([name, operation]) => [name, { tags: [area], ...operation }]);
  return Object.fromEntries(tagged) as ReturnType<typeof describeOperations<Described>>;
}
