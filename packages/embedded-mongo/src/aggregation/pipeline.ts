import { locationError, MongoError } from '../errors/mongo-error.ts';
import { rejectUnsupported } from '../errors/unsupported.ts';
import { isDocument, type BsonDocument, type BsonValue } from '../values/value.ts';
import { compileDocumentStage } from './document-stages.ts';
import { groupStage } from './group-stage.ts';
import { facetStage, lookupStage, unionWithStage } from './joining-stages.ts';
import { countStage, limitStage, matchStage, sampleStage, skipStage, sortStage } from './simple-stages.ts';
import { onEach, stageOf, type Stage } from './stage.ts';
import { unwindStage } from './unwind-stage.ts';

/** Compiles a pipeline. Throws MongoDB's error for an unknown or unsupported stage. */
export function compilePipeline(pipeline: readonly BsonValue[], variables: ReadonlySet<string>): Stage[] {
  return pipeline.map((stage) => compileStage(...stageOf(stage), variables));
}

function compileStage(name: string, argument: BsonValue, variables: ReadonlySet<string>): Stage {
  const single = compileDocumentStage(name, argument, variables);
  if (single) return onEach((root, run) => [single({ root, variables: run.variables })]);
  switch (name) {
    case '$match':
      return matchStage(argument);
    case '$sort':
      return sortStage(argument);
    case '$skip':
      return skipStage(argument);
    case '$limit':
      return limitStage(argument);
    case '$count':
      return countStage(argument);
    case '$sample':
      return sampleStage(argument);
    case '$group':
      return groupStage(argument, variables);
    case '$sortByCount':
      return sortByCountStage(argument, variables);
    case '$unwind':
      return unwindStage(argument);
    case '$lookup':
      return lookupStage(argument, variables, compilePipeline);
    case '$unionWith':
      return unionWithStage(argument, variables, compilePipeline);
    case '$facet':
      return facetStage(argument, variables, compilePipeline);
    default:
      throw unknownStage(name);
  }
}

const searchStages = new Set(['$search', '$searchMeta', '$vectorSearch', '$listSearchIndexes']);

function unknownStage(name: string): MongoError {
  if (name === '$out' || name === '$merge') {
    return locationError(40601, `${name} can only be the final stage in the pipeline`);
  }
  if (name === '$changeStream') {
    return locationError(40573, 'The $changeStream stage is only supported on replica sets');
  }
  if (searchStages.has(name)) {
    return new MongoError(31082, 'SearchNotEnabled', `${name} stage is only allowed on MongoDB Atlas`);
  }
  rejectUnsupported('stage', name);
  return locationError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

function sortByCountStage(argument: BsonValue, variables: ReadonlySet<string>): Stage {
  const isExpression = isDocument(argument) || (typeof argument === 'string' && argument.startsWith('$'));
  if (!isExpression) {
    throw locationError(40148, 'the sortByCount field must be defined as a $-prefixed path or an expression');
  }
  const specification: BsonDocument = new Map([
    ['_id', argument],
    ['count', new Map([['$sum', 1]])],
  ]);
  const group = groupStage(specification, variables);
  const sort = sortStage(new Map([['count', -1]]));
  return (input, run) => sort(group(input, run), run);
}
