import { errorBody } from '@docwright/contract';
import { z } from 'zod';
import type { RouteError } from '../route-errors.ts';

interface Reference {
  $ref: string;
}

interface ErrorResponse {
  description: string;
  content: { 'application/json': { schema: object } };
  /** What `error.code` can be. */
  'x-error-codes': string[];
}

/** The answers of routes that refuse, by status; what several have in common is described once, under `components`. */
export class ErrorResponses {
  readonly #named = new Map<string, ErrorResponse>();

  /** By status, what an operation with these errors names. */
  of(errors: readonly RouteError[]): Record<string, Reference> {
    const statuses = Map.groupBy(errors, ({ status }) => status);
    return Object.fromEntries(
      [...statuses].map(([status, ofStatus]) => {
        const name = `${status}.${ofStatus.map(({ code }) => code).join('.')}`;
        this.#named.set(name, responseOf(ofStatus));
        return [String(status), { $ref: `#/components/responses/${name}` }];
      }),
    );
  }

  get components(): { schemas: Record<string, object>; responses: Record<string, ErrorResponse> } {
    const { $schema: _, ...shape } = z.toJSONSchema(errorBody, { io: 'output' });
    return { schemas: { Error: shape }, responses: Object.fromEntries(this.#named) };
  }
}

function responseOf(errors: readonly RouteError[]): ErrorResponse {
  const codes = errors.map(({ code }) => code);
  return {
    description: errors.map(({ code, about }) => `- \`${code}\`: ${about}`).join('\n'),
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    },
    'x-error-codes': codes,
  };
}
