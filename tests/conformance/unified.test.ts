import { startTestDatabase, type TestDatabase } from '@docwright/embedded-mongo/testing';
import { BSON, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectedFailures } from './expected-failures.ts';
import { howToRun, readSuite, specifications } from './specifications.ts';
import { isInDriver } from './unified/operations.ts';
import { isMeantFor } from './unified/requirements.ts';
import { runTest } from './unified/run-test.ts';
import type { SpecificationTest, TestFile } from './unified/test-file.ts';

const serverVersion = '7.0.14';
const suites = ['crud/unified', 'gridfs', 'index-management'];

let database: TestDatabase;
let admin: MongoClient;

beforeAll(async () => {
  database = await startTestDatabase();
  admin = await new MongoClient(database.uri).connect();
});

afterAll(async () => {
  await admin.close();
  await database.stop();
});

if (specifications === undefined) test('the specifications are not on this machine', ({ skip }) => skip(howToRun));

describe.runIf(specifications !== undefined)('mongodb/specifications', () => {
  const run = new Set<string>();
  for (const suite of suites) {
    for (const { name, text } of readSuite(suite)) {
      const file = BSON.EJSON.parse(text) as TestFile;
      const tests = file.tests.filter((candidate) => canRun(file, candidate));
      describe.runIf(tests.length > 0)(`${suite}/${name}`, () => {
        for (const specified of tests) {
          const failure = expectedFailures.find(
            (entry) => entry.suite === suite && entry.file === name && entry.test === specified.description,
          );
          run.add(`${suite}/${name}/${specified.description}`);
          test(
            failure ? `${specified.description} (expected to fail: ${failure.reason})` : specified.description,
            async () => {
              const running = runTest(database.uri, admin, file, specified);
              if (failure) {
                await expect(running, 'expected to fail, but passes: take it off the list').rejects.toThrow();
              } else await running;
            },
          );
        }
      });
    }
  }

  test('every expected failure names a test that was run', () => {
    const unknown = expectedFailures.filter(({ suite, file, test: name }) => !run.has(`${suite}/${file}/${name}`));
    expect(unknown).toEqual([]);
  });
});

const canRun = (file: TestFile, candidate: SpecificationTest): boolean =>
  isMeantFor(serverVersion, file, candidate) && candidate.operations.every(({ name }) => isInDriver(name));
