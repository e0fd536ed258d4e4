import type { BsonDocument, BsonValue } from '../values/value.ts';

/** The values of `$$name` in expressions: the `let` of a command, and the variables of stages. */
export type Variables = ReadonlyMap<string, BsonValue>;
export const noVariables: Variables = new Map();

/** The input of an expression: the document and the variables in scope. */
export interface Scope {
  root: BsonDocument;
  variables: Variables;
}

/** A value in an expression; undefined for a missing field. */
export type MaybeValue = BsonValue | undefined;

/** A compiled expression. */
export type Evaluate = (scope: Scope) => MaybeValue;

/** The scope with more variables. A missing value removes the variable. */
export function withVariables(scope: Scope, entries: [string, MaybeValue][]): Scope {
  const variables = new Map(scope.variables);
  for (const [name, value] of entries) {
    if (value === undefined) variables.delete(name);
    else variables.set(name, value);
  }
  return { root: scope.root, variables };
}
