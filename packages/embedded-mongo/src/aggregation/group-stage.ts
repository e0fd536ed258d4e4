import { valueKey } from '../bson/sort-key.ts';
import { locationError } from '../errors/mongo-error.ts';
import { rejectUnsupported } from '../errors/unsupported.ts';
import { compileExpression } from '../expression/expression.ts';
import type { Evaluate } from '../expression/scope.ts';
import { isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';
import { accumulators, type Accumulator } from './accumulators.ts';
import type { Stage } from './stage.ts';

interface Group {
  identifier: BsonValue;
  accumulators: Accumulator[];
}

interface Field {
  name: string;
  create: () => Accumulator;
  evaluate: Evaluate;
}

const maxBatchSize = 256;

/** `$group`. Throws Location15952 for an unknown accumulator. */
export function groupStage(argument: BsonValue, variables: ReadonlySet<string>): Stage {
  if (!isDocument(argument)) throw locationError(15947, "a group's fields must be specified in an object");
  if (!argument.has('_id')) throw locationError(15955, 'a group specification must include an _id');
  const identifier = compileExpression(argument.get('_id')!, variables);
  const fields = [...argument].filter(([name]) => name !== '_id').map(([name, value]) => field(name, value, variables));
  return async function* (input, { yielder, variables: values }) {
    const groups = new Map<string, Group>();
    for await (const documents of input) {
      for (const root of documents) {
        const scope = { root, variables: values };
        const group = groupOf(groups, identifier(scope) ?? null, fields);
        fields.forEach(({ evaluate }, index) => group.accumulators[index]!.add(evaluate(scope)));
        if (yielder.isDue) await yielder.yield();
      }
    }
    let output: BsonDocument[] = [];
    for (const group of groups.values()) {
      output.push(result(group, fields));
      if (output.length < maxBatchSize) continue;
      yield output;
      output = [];
      if (yielder.isDue) await yielder.yield();
    }
    yield output;
  };
}

function field(name: string, value: BsonValue, variables: ReadonlySet<string>): Field {
  if (name.includes('.')) throw locationError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$')) throw locationError(40236, `The field name '${name}' cannot be an operator name`);
  if (!isDocument(value) || value.size === 0) {
    throw locationError(40234, `The field '${name}' must be an accumulator object`);
  }
  if (value.size > 1) throw locationError(40238, `The field '${name}' must specify one accumulator`);
  const [[operator, argument]] = [...value] as [[string, BsonValue]];
  if (operator === '$count') {
    if (!isDocument(argument) || argument.size > 0) {
      throw locationError(40238, '$count takes no arguments, i.e. $count:{}');
    }
    return { name, create: accumulators.get('$sum')!, evaluate: () => 1 };
  }
  const create = accumulators.get(operator);
  if (!create) rejectUnsupported('expression', operator);
  if (!create) throw locationError(15952, `unknown group operator '${operator}'`);
  if (Array.isArray(argument) && operator !== '$push' && operator !== '$addToSet') {
    throw locationError(40237, `The ${operator} accumulator is a unary operator`);
  }
  return { name, create, evaluate: compileExpression(argument, variables) };
}

function groupOf(groups: Map<string, Group>, identifier: BsonValue, fields: Field[]): Group {
  const key = valueKey(identifier).toString('latin1');
  let group = groups.get(key);
  if (!group) {
    group = { identifier, accumulators: fields.map(({ create }) => create()) };
    groups.set(key, group);
  }
  return group;
}

function result(group: Group, fields: Field[]): BsonDocument {
  const document: BsonDocument = new Map([['_id', group.identifier]]);
  fields.forEach(({ name }, index) => document.set(name, group.accumulators[index]!.result()));
  return document;
}
