import { BSONRegExp } from 'bson';
import { isDocument, type BsonValue } from '../values/value.ts';

/** The one value that a condition of a filter on a field requires; undefined for any other condition. */
export function requiredValue(condition: BsonValue | undefined): BsonValue | undefined {
  if (condition === undefined || condition instanceof BSONRegExp || Array.isArray(condition)) return undefined;
  if (!isDocument(condition)) return condition;
  const [[name, value] = []] = condition;
  if (name === undefined || !name.startsWith('$')) return condition;
  return condition.size === 1 && name === '$eq' && !Array.isArray(value) ? value : undefined;
}
