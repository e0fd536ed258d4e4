/** A test that this server does not pass, with the reason. */
interface ExpectedFailure {
  suite: string;
  file: string;
  test: string;
  reason: string;
}

const collation = 'collations other than binary comparison are refused';
const failPoints = 'fail points exist in test builds of MongoDB only';
const driverLeavesOut = 'the driver leaves out bypassDocumentValidation: false, whatever the server';
const driverMakesIds = 'the driver puts an ObjectId in the place of a null _id before it sends';
const views = 'views are refused';
const driverLastChunk = 'the driver does not notice that the last chunk is missing';

/** The run fails if one of them passes, or if a test that is not listed fails. */
export const expectedFailures: ExpectedFailure[] = [
  ...fail(collation, 'crud/unified', 'aggregate-collation', ['Aggregate with collation']),
  ...fail(collation, 'crud/unified', 'bulkWrite-collation', [
    'BulkWrite with delete operations and collation',
    'BulkWrite with update operations and collation',
  ]),
  ...fail(collation, 'crud/unified', 'count-collation', [
    'Count documents with collation',
    'Deprecated count with collation',
  ]),
  ...fail(collation, 'crud/unified', 'deleteMany-collation', ['DeleteMany when many documents match with collation']),
  ...fail(collation, 'crud/unified', 'deleteOne-collation', ['DeleteOne when many documents matches with collation']),
  ...fail(collation, 'crud/unified', 'distinct-collation', ['Distinct with a collation']),
  ...fail(collation, 'crud/unified', 'find-collation', ['Find with a collation']),
  ...fail(collation, 'crud/unified', 'findOneAndDelete-collation', [
    'FindOneAndDelete when one document matches with collation',
  ]),
  ...fail(collation, 'crud/unified', 'findOneAndReplace-collation', [
    'FindOneAndReplace when one document matches with collation returning the document after modification',
  ]),
  ...fail(collation, 'crud/unified', 'findOneAndUpdate-collation', [
    'FindOneAndUpdate when many documents match with collation returning the document before modification',
  ]),
  ...fail(collation, 'crud/unified', 'replaceOne-collation', ['ReplaceOne when one document matches with collation']),
  ...fail(collation, 'crud/unified', 'updateMany-collation', ['UpdateMany when many documents match with collation']),
  ...fail(collation, 'crud/unified', 'updateOne-collation', ['UpdateOne when one document matches with collation']),
  ...fail(failPoints, 'crud/unified', 'bulkWrite-errorResponse', [
    'bulkWrite operations support errorResponse assertions',
  ]),
  ...fail(failPoints, 'crud/unified', 'deleteOne-errorResponse', [
    'delete operations support errorResponse assertions',
  ]),
  ...fail(failPoints, 'crud/unified', 'estimatedDocumentCount', [
    'estimatedDocumentCount errors correctly--command error',
    'estimatedDocumentCount errors correctly--socket error',
  ]),
  ...fail(failPoints, 'crud/unified', 'insertOne-errorResponse', [
    'insert operations support errorResponse assertions',
  ]),
  ...fail(failPoints, 'crud/unified', 'updateOne-errorResponse', [
    'update operations support errorResponse assertions',
  ]),
  ...fail(driverLeavesOut, 'crud/unified', 'bypassDocumentValidation', [
    'Aggregate with $out passes bypassDocumentValidation: false',
    'BulkWrite passes bypassDocumentValidation: false',
    'FindOneAndReplace passes bypassDocumentValidation: false',
    'FindOneAndUpdate passes bypassDocumentValidation: false',
    'InsertMany passes bypassDocumentValidation: false',
  ]),
  ...fail(driverMakesIds, 'crud/unified', 'create-null-ids', [
    'inserting _id with type null via insertOne',
    'inserting _id with type null via insertMany',
    'inserting _id with type null via bulkWrite',
  ]),
  ...fail(views, 'crud/unified', 'estimatedDocumentCount', ['estimatedDocumentCount works correctly on views']),
  ...fail(driverLastChunk, 'gridfs', 'download', ['download when final chunk is missing']),
];

function fail(reason: string, suite: string, file: string, tests: string[]): ExpectedFailure[] {
  return tests.map((test) => ({ suite, file, test, reason }));
}
