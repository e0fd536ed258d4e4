/** A database feature that a command uses, by kind: `['operators of updates', '$inc']`. */
type UsedName = readonly [kind: UsedKind, name: string];

export const usedKinds = [
  'commands',
  'operators of filters',
  'operators of updates',
  'stages',
  'expressions',
  'variables',
  'projections',
  'kinds of indexes',
] as const;
type UsedKind = (typeof usedKinds)[number];

/**
 * Commands of the driver, those for the embedded database alone, and `dropDatabase`: only tests drop a database, and two
 * apps of a test on one connection see each other's commands.
 */
const ownCommands = new Set([
  'hello',
  'endSessions',
  'dropDatabase',
  'docwrightIds',
  'docwrightIntegrity',
  'docwrightSubstringIndex',
]);

/** Lists the database features that a command uses. */
export function usedNames(name: string, command: Record<string, unknown>): UsedName[] {
  if (ownCommands.has(name)) return [];
  const found: UsedName[] = [['commands', name]];
  for (const filter of [command['filter'], command['query']]) found.push(...inFilter(filter));
  found.push(
    ...inProjection(command['projection']),
    ...inProjection(command['fields']),
    ...inProjection(command['sort']),
  );
  found.push(...inUpdate(command['update']), ...inFilters(command['arrayFilters']), ...inStages(command['pipeline']));
  for (const update of listOf(command['updates'])) {
    found.push(...inFilter(update['q']), ...inUpdate(update['u']), ...inFilters(update['arrayFilters']));
    if (update['arrayFilters'] !== undefined) found.push(['operators of updates', 'arrayFilters']);
    if (update['upsert'] === true) found.push(['operators of updates', 'upsert']);
  }
  for (const write of listOf(command['ops'])) {
    found.push(...inFilter(write['filter']), ...inUpdate(write['updateMods']));
    if (write['upsert'] === true) found.push(['operators of updates', 'upsert']);
  }
  for (const deletion of listOf(command['deletes'])) found.push(...inFilter(deletion['q']));
  for (const index of listOf(command['indexes'])) found.push(...inIndex(index));
  if (command['collation'] !== undefined) found.push(['commands', 'collation of a query']);
  if (command['arrayFilters'] !== undefined) found.push(['operators of updates', 'arrayFilters']);
  if (command['upsert'] === true) found.push(['operators of updates', 'upsert']);
  return found;
}

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !('_bsontype' in value || value instanceof Date || value instanceof RegExp);
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function inFilters(filters: unknown): UsedName[] {
  return listOf(filters).flatMap(inFilter);
}

function inFilter(filter: unknown): UsedName[] {
  if (Array.isArray(filter)) return filter.flatMap(inFilter);
  if (!isObject(filter)) return filter instanceof RegExp ? [['operators of filters', 'regular expressions']] : [];
  return Object.entries(filter).flatMap(([key, value]): UsedName[] => {
    if (key === '$expr') return [['operators of filters', key], ...inExpression(value)];
    // Operands of comparisons are data.
    const inside =
      key.startsWith('$') && !['$and', '$or', '$nor', '$not', '$elemMatch'].includes(key) ? [] : inFilter(value);
    return key.startsWith('$') ? [['operators of filters', key], ...inside] : inside;
  });
}

function inUpdate(update: unknown): UsedName[] {
  if (Array.isArray(update)) return [['operators of updates', 'a pipeline'], ...inStages(update)];
  if (!isObject(update)) return [];
  return Object.entries(update).flatMap(([key, value]): UsedName[] => {
    if (!key.startsWith('$')) return [];
    const modifiers = ['$push', '$addToSet', '$pull'].includes(key) && isObject(value) ? Object.values(value) : [];
    const names = modifiers
      .filter(isObject)
      .flatMap((modifier) => Object.keys(modifier).filter((name) => /^\$[a-z]/u.test(name)));
    return [key, ...names].map((operator) => ['operators of updates', operator] as const);
  });
}

function inStages(pipeline: unknown): UsedName[] {
  return listOf(pipeline).flatMap((stage) =>
    Object.entries(stage).flatMap(([key, value]): UsedName[] => {
      if (key === '$match') return [['stages', key], ...inFilter(value)];
      if (key === '$vectorSearch') return [['stages', key]];
      if (key === '$facet' && isObject(value)) return [['stages', key], ...Object.values(value).flatMap(inStages)];
      if ((key === '$lookup' || key === '$unionWith') && isObject(value)) {
        return [['stages', key], ...inStages(value['pipeline']), ...inExpression(value['let'])];
      }
      return [['stages', key], ...inExpression(value)];
    }),
  );
}

function inExpression(value: unknown): UsedName[] {
  if (typeof value === 'string') {
    const variable = /^\$\$([A-Z]+)/u.exec(value)?.[1];
    return variable === undefined ? [] : [['variables', `$$${variable}`]];
  }
  if (Array.isArray(value)) return value.flatMap(inExpression);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]): UsedName[] => {
    if (key === '$literal') return [['expressions', key]];
    return key.startsWith('$') ? [['expressions', key], ...inExpression(part)] : inExpression(part);
  });
}

/** The driver stores a sort's order in a map. */
function inProjection(projection: unknown): UsedName[] {
  if (!isObject(projection)) return [];
  const values: unknown[] = projection instanceof Map ? [...projection.values()] : Object.values(projection);
  return values.flatMap((value): UsedName[] =>
    isObject(value) ? Object.keys(value).map((key) => ['projections', key]) : [],
  );
}

function inIndex({ key, ...options }: Json): UsedName[] {
  const directions: unknown[] = key instanceof Map ? [...key.values()] : isObject(key) ? Object.values(key) : [];
  const kinds = directions.flatMap((direction) => (typeof direction === 'string' ? [direction] : []));
  if (directions.length > 1) kinds.push('several fields');
  for (const option of ['unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds', 'collation']) {
    if (options[option] !== undefined && options[option] !== false) kinds.push(option);
  }
  return [...kinds.map((kind) => ['kinds of indexes', kind] as const), ...inFilter(options['partialFilterExpression'])];
}
