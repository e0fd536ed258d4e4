import { isDocument, isNumber, isOperatorDocument, isTruthy, type BsonValue } from '../values/value.ts';

/** Operators that name a field by an expression, and variables that are the whole document. */
const namesAnyField = new Set(['$getField', '$setField', '$unsetField']);
const wholeDocument = /^\$\$(?:ROOT|CURRENT)(?:\.|$)/u;

/**
 * The top-level fields that a stage needs of its input: a group of a few fields then decodes nothing else of thousands of documents.
 * Undefined if it can need any.
 */
export function neededFields(name: string, argument: BsonValue): Set<string> | undefined {
  const fields = new Set<string>();
  if (name === '$group') return addReferences(argument, fields) ? fields : undefined;
  if (name !== '$project' || !isDocument(argument)) return undefined;
  return addProjected(argument, fields) ? fields : undefined;
}

/** The top-level fields that a projection takes; undefined if it takes others too, or needs them. */
export function projectedFields(projection: BsonValue): Set<string> | undefined {
  const isPlain = isDocument(projection) && [...projection.values()].every(isFlag);
  const fields = new Set<string>();
  return isPlain && addProjected(projection, fields) ? fields : undefined;
}

const isExpression = (value: BsonValue): boolean => typeof value === 'string' || isOperatorDocument(value);
const isFlag = (value: BsonValue): boolean => typeof value === 'boolean' || isNumber(value);

function addProjected(projection: ReadonlyMap<string, BsonValue>, fields: Set<string>): boolean {
  fields.add('_id');
  let isInclusive = false;
  for (const [path, value] of projection) {
    if (path === '_id' && isFlag(value)) continue;
    const isSure = isFlag(value) ? isTruthy(value) : isExpression(value) && addReferences(value, fields);
    if (!isSure || path.includes('$')) return false;
    isInclusive = true;
    fields.add(path.split('.')[0]!);
  }
  return isInclusive || isTruthy(projection.get('_id') ?? false);
}

/** False if the expression can need any field. */
function addReferences(expression: BsonValue, fields: Set<string>): boolean {
  if (typeof expression === 'string') {
    if (wholeDocument.test(expression)) return false;
    if (expression.startsWith('$') && !expression.startsWith('$$')) fields.add(expression.slice(1).split('.')[0]!);
    return true;
  }
  if (Array.isArray(expression)) return expression.every((part) => addReferences(part, fields));
  if (!isDocument(expression)) return true;
  return [...expression].every(([name, part]) => !namesAnyField.has(name) && addReferences(part, fields));
}
