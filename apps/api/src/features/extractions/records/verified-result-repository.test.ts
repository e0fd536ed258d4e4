import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logCommands } from '../../../testing/database-use/command-log.ts';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { extractionModel } from './extraction-model.ts';
import { createVerifiedResultRepositories } from './verified-result-repository.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

it('reads a few verified results at a time, since each can have 100,000 values, and says which one of a document is the newest', async () => {
  const organization_id = new mongoose.Types.ObjectId();
  const prompt_id = new mongoose.Types.ObjectId().toHexString();
  const documentIds = Array.from({ length: 30 }, () => new mongoose.Types.ObjectId());
  const [older, newer] = [new mongoose.Types.ObjectId(), new mongoose.Types.ObjectId()];
  const record = (document_id: mongoose.Types.ObjectId, prompt_revid: mongoose.Types.ObjectId, other: object = {}) => ({
    organization_id,
    document_id,
    prompt_id,
    prompt_revid,
    version: 1,
    usage: { spu: 1 },
    schema_revid: null,
    result: '{"total":1}',
    original_result: '{"total":2}',
    grounding: '{}',
    validation_errors: [],
    model: 'demo',
    is_verified: true,
    created_at: new Date(),
    changed_at: new Date(prompt_revid.equals(newer) ? 2_000 : 1_000),
    ...other,
  });
  await extractionModel(connection).collection.insertMany([
    ...documentIds.map((id) => record(id, older)),
    record(documentIds[3]!, newer),
    record(documentIds[4]!, newer, { is_verified: false }),
    record(documentIds[5]!, newer, { organization_id: new mongoose.Types.ObjectId() }),
  ] as never[]);
  const verified = createVerifiedResultRepositories(connection)(organization_id.toHexString());
  const log = logCommands(connection);
  const found: { document: number; isOfNewer: boolean; isNewest: boolean }[] = [];
  const commands: number[] = [];
  const ids = documentIds.slice(0, 25).map((id) => id.toHexString());
  for await (const { document_id, prompt_revid, isNewest } of verified.results(prompt_id, ids)) {
    found.push({ document: ids.indexOf(document_id), isOfNewer: prompt_revid === newer.toHexString(), isNewest });
    commands.push(log.commands.length);
  }
  log.stop();
  expect(found).toHaveLength(26);
  expect(found.filter(({ document }) => document === 3)).toEqual([
    { document: 3, isOfNewer: true, isNewest: true },
    { document: 3, isOfNewer: false, isNewest: false },
  ]);
  expect(found.filter(({ isNewest }) => isNewest)).toHaveLength(25);
  // The order of the documents first, then some results after the other.
  expect([commands[0], commands.at(-1)]).toEqual([2, 4]);
});
