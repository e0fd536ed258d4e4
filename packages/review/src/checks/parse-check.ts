import { type ASTNode, ParseError } from '@marcbachmann/cel-js';
import { checkLanguage, listFunctions, macros, maxExpressionLength } from './check-language.ts';

/** Errors raise the risk of the named values more than warnings. */
export type CheckSeverity = 'error' | 'warning';

/** A condition across the fields of a result. It belongs to a schema. */
export interface Check {
  readonly id: string;
  /** In the Common Expression Language. It is true for a correct result. */
  readonly expression: string;
  /** For users, if the check fails. */
  readonly message: string;
  readonly severity: CheckSeverity;
}

/** A check that `runChecks` can run. */
export interface ParsedCheck extends Check {
  /** The fields in its expression, in order of appearance: `line_items[].amount`. */
  readonly fields: readonly string[];
  /** The depth of nested iterations over lists. Each level multiplies the cost by the length of a list. */
  readonly listDepth: number;
  /** Number of nodes in the syntax tree of the expression. */
  readonly nodes: number;
  /** Throws if an operand is null or of another type. */
  readonly evaluate: (result: Record<string, unknown>) => unknown;
}

/**
 * A check with an invalid expression. `message` is for users.
 *
 * @example
 * ```ts
 * import { CheckError, parseCheck } from '@docwright/review';
 *
 * const check = { id: 'sum', expression: 'gross >', message: 'Gross is below net', severity: 'error' as const };
 * try {
 *   parseCheck(check, { properties: { gross: { type: 'number' } } });
 * } catch (error) {
 *   if (!(error instanceof CheckError)) throw error;
 *   console.error(error.check, error.position, error.message);
 * }
 * ```
 */
export class CheckError extends Error {
  /** The id of the check. */
  readonly check: string;
  /** The position in the expression, in characters from 0. */
  readonly position: number;

  constructor(check: string, position: number, message: string) {
    super(message);
    this.name = 'CheckError';
    this.check = check;
    this.position = position;
  }
}

/** The keywords of JSON Schema that define fields. */
interface FieldSchema {
  type?: unknown;
  properties?: Record<string, unknown>;
  items?: unknown;
  $ref?: string;
  anyOf?: unknown[];
  oneOf?: unknown[];
  $defs?: Record<string, unknown>;
  definitions?: Record<string, unknown>;
}

/** The field that a part of an expression refers to. */
interface Place {
  readonly field: string;
  readonly schema: FieldSchema;
}
/** The variables of macros. The value is undefined if the variable is computed. */
type Scope = ReadonlyMap<string, Place | undefined>;

/** Operators whose result is never a boolean. */
const arithmetic: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '-_']);

/** Maximum depth of nested iterations over lists. A third level would cost the cube of the rows. */
const maxListDepth = 2;

/**
 * Parses a check.
 *
 * @param schema the JSON schema (draft 7) of the results
 * @throws {CheckError} if the expression does not parse, is not a condition, names no field or an unknown one, or could
 * take too long
 * @example
 * ```ts
 * import { parseCheck } from '@docwright/review';
 *
 * const schema = { type: 'object', properties: { net: { type: 'number' }, gross: { type: 'number' } } };
 * const check = { id: 'sum', expression: 'gross >= net', message: 'Gross is below net', severity: 'error' as const };
 * parseCheck(check, schema).fields; // ['gross', 'net']
 * ```
 */
export function parseCheck(check: Check, schema: unknown): ParsedCheck {
  const { id, expression } = check;
  if (expression.length > maxExpressionLength) {
    throw new CheckError(id, maxExpressionLength, `The expression is longer than ${maxExpressionLength} characters.`);
  }
  const parsed = parse(id, expression);
  const typed = parsed.check();
  if (!typed.valid) throw new CheckError(id, typed.error?.range?.start ?? 0, firstLine(typed.error));
  if (typed.type !== 'bool' && (typed.type !== 'dyn' || arithmetic.has(parsed.ast.op))) {
    throw new CheckError(id, 0, 'The expression must be true or false, such as `total >= subtotal`.');
  }
  const visitor = new FieldVisitor(id, schema as FieldSchema);
  visitor.visit(parsed.ast, new Map());
  if (visitor.fields.size === 0) throw new CheckError(id, 0, 'The expression names no field of the schema.');
  if (visitor.listDepth > maxListDepth) {
    throw new CheckError(id, 0, `The expression nests more than ${maxListDepth} iterations over lists.`);
  }
  return {
    ...check,
    fields: [...visitor.fields],
    listDepth: visitor.listDepth,
    nodes: visitor.nodes,
    evaluate: (result) => parsed(result) as unknown,
  };
}

function parse(id: string, expression: string) {
  try {
    return checkLanguage.parse(expression);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new CheckError(id, error.range?.start ?? 0, firstLine(error));
  }
}

function firstLine(error: Error | undefined): string {
  return error?.message.split('\n')[0] ?? 'The expression does not parse.';
}

/** Collects the fields in an expression, and refuses names that the schema does not have. */
class FieldVisitor {
  readonly fields = new Set<string>();
  listDepth = 0;
  nodes = 0;
  readonly #id: string;
  readonly #root: FieldSchema;

  constructor(id: string, root: FieldSchema) {
    this.#id = id;
    this.#root = root;
  }

  /** Collects the field of an operand. A list or an object counts as one field. */
  visit(node: ASTNode, scope: Scope, depth = 0): void {
    const place = this.#place(node, scope, depth);
    if (place !== undefined && place.field !== '') this.fields.add(place.field);
  }

  #place(node: ASTNode, scope: Scope, depth: number): Place | undefined {
    this.nodes += 1;
    switch (node.op) {
      case 'value':
        return undefined;
      case 'id':
        return scope.has(node.args)
          ? scope.get(node.args)
          : this.#property({ field: '', schema: this.#root }, node.args, node);
      case '.':
      case '.?': {
        const [of, name] = node.args;
        const place = this.#place(of, scope, depth);
        return place === undefined ? undefined : this.#property(place, name, node);
      }
      case '[]':
      case '[?]': {
        const [of, index] = node.args;
        const place = this.#place(of, scope, depth);
        if (index.op === 'value' && typeof index.args === 'string' && place !== undefined) {
          return this.#property(place, index.args, node);
        }
        this.visit(index, scope, depth);
        return place === undefined ? undefined : this.#item(place);
      }
      case 'rcall':
        return this.#method(node, scope, depth);
      case 'call': {
        const [name, args] = node.args;
        if (listFunctions.has(name)) this.#countIteration(depth);
        for (const argument of args) this.visit(argument, scope, depth);
        return undefined;
      }
      default:
        this.#operands(node, scope, depth);
        return undefined;
    }
  }

  #operands(node: ASTNode, scope: Scope, depth: number): void {
    const operands = (node.args as unknown[]).flat(2);
    if (node.op === 'in' || operands.some((operand) => this.#isList(operand, scope))) this.#countIteration(depth);
    for (const operand of Array.isArray(node.args) ? operands : [node.args]) {
      if (isNode(operand)) this.visit(operand, scope, depth);
    }
  }

  #countIteration(depth: number): void {
    this.listDepth = Math.max(this.listDepth, depth + 1);
  }

  /** Whether an operand is a list, which an operator iterates over. */
  #isList(operand: unknown, scope: Scope): boolean {
    if (!isNode(operand) || operand.op !== 'id') return false;
    const schema = scope.get(operand.args)?.schema ?? this.#resolve(this.#root).properties?.[operand.args];
    return schema !== undefined && this.#resolve(schema as FieldSchema).items !== undefined;
  }

  #method(node: Extract<ASTNode, { op: 'rcall' }>, scope: Scope, depth: number): undefined {
    const [name, target, args] = node.args;
    if (name === 'matches') {
      throw this.#error(
        node,
        'Checks cannot use matches(). Use contains(), startsWith() or endsWith(), or a pattern in the schema.',
      );
    }
    const [variable, ...bodies] = args;
    if (!macros.has(name) || variable?.op !== 'id') {
      if (listFunctions.has(name)) this.#countIteration(depth);
      this.visit(target, scope, depth);
      for (const argument of args) this.visit(argument, scope, depth);
      return undefined;
    }
    const place = this.#place(target, scope, depth);
    // The list itself is a field of the check only if the body names none of its fields.
    const item = place === undefined ? undefined : this.#item(place);
    this.#countIteration(depth);
    const before = this.fields.size;
    for (const body of bodies) this.visit(body, new Map(scope).set(variable.args, item), depth + 1);
    if (this.fields.size === before && place !== undefined) this.fields.add(place.field);
    return undefined;
  }

  #property({ field, schema }: Place, name: string, node: ASTNode): Place {
    const { properties = {} } = this.#resolve(schema);
    if (!Object.hasOwn(properties, name)) {
      const where = field === '' ? 'The schema' : `The field ${field}`;
      throw this.#error(node, `${where} has no field named ${name}.`);
    }
    return { field: field === '' ? name : `${field}.${name}`, schema: properties[name] as FieldSchema };
  }

  #item({ field, schema }: Place): Place {
    return { field: `${field}[]`, schema: this.#resolve(schema).items ?? {} };
  }

  #resolve(schema: FieldSchema, depth = 0): FieldSchema {
    if (depth > 12) return {};
    const reference = /^#\/(definitions|\$defs)\/([^/]+)$/.exec(schema.$ref ?? '');
    if (reference !== null) {
      const target = this.#root[reference[1] as '$defs' | 'definitions']?.[reference[2]!];
      return this.#resolve(target ?? {}, depth + 1);
    }
    const variants = (schema.anyOf ?? schema.oneOf) as FieldSchema[] | undefined;
    const chosen = variants?.find(({ type }) => type !== 'null');
    return chosen === undefined ? schema : this.#resolve(chosen, depth + 1);
  }

  #error(node: ASTNode, message: string): CheckError {
    return new CheckError(this.#id, node.range?.start ?? node.start, message);
  }
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value;
}
