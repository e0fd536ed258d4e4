import { compileDocumentStage } from '../aggregation/document-stages.ts';
import { isDocument, type BsonValue } from '../bson/value.ts';
import { failedToParse, invalidOptions, locationError } from '../errors.ts';
import type { Variables } from '../query/filter.ts';
import { replace } from './replacement.ts';
import type { Update } from './update.ts';

const allowed = new Set(['$set', '$addFields', '$unset', '$project', '$replaceRoot', '$replaceWith']);

/** An update by an aggregation pipeline. Only stages that map one document to one document are allowed. */
export function compilePipelineUpdate(pipeline: BsonValue[], variables: Variables): Update {
  const stages = pipeline.map((stage) => {
    if (!isDocument(stage)) throw failedToParse('Each element of the pipeline of an update must be an object');
    const [name] = stage.keys();
    if (name === undefined || stage.size > 1) {
      throw locationError(40323, 'A pipeline stage specification object must contain exactly one field.');
    }
    if (!allowed.has(name)) throw invalidOptions(`${name} is not allowed to be used within an update`);
    return compileDocumentStage(name, stage.get(name)!, new Set(variables.keys()))!;
  });
  return {
    kind: 'pipeline',
    needsPositions: false,
    apply: (document) => {
      const changed = stages.reduce((current, stage) => stage({ root: current, variables }), document);
      return replace(document, changed);
    },
  };
}
