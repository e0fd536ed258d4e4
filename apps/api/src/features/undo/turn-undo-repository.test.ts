import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createTurnUndoRepositories } from './turn-undo-repository.ts';
import { turnUndoModel } from './turn-undo-model.ts';
import type { UndoPlan } from './undo-plan.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => connection.close());

const [organization, other, documentId] = ['a'.repeat(24), 'b'.repeat(24), 'c'.repeat(24)];
const repositoryOf = (organizationId = organization) => createTurnUndoRepositories(connection)(organizationId);
const planFor = (call_id: string): UndoPlan => ({
  undone: [{ call_id, tool: 'update_tag' }],
  steps: [{ kind: 'tag', id: 't', name: 'tag', changes: 1, base: 0, firstCallId: call_id, record: 'content' }],
});
const answerFor = (call_id: string) => ({
  undone: planFor(call_id).undone,
  working_state: { schema_revid: null, prompt_revid: null, extraction: null },
});
const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(24)) as [string, string, string];

it('returns the first plan and the first answer to all attempts', async () => {
  const undos = repositoryOf();
  expect(await undos.get(one)).toBeUndefined();
  expect(await undos.start(one, undefined, planFor('first'))).toEqual(planFor('first'));
  expect(await undos.start(one, undefined, planFor('second'))).toEqual(planFor('first'));
  expect(await undos.get(one)).toEqual({ plan: planFor('first'), answer: undefined });
  expect(await turnUndoModel(connection).findById(one).lean()).not.toHaveProperty('document_id');
  expect(await repositoryOf(other).get(one)).toBeUndefined();

  expect(await undos.finish(one, planFor('first'), answerFor('first'))).toEqual(answerFor('first'));
  expect(await undos.finish(one, planFor('second'), answerFor('second'))).toEqual(answerFor('first'));
  expect((await undos.get(one))?.plan.steps).toEqual([
    { kind: 'tag', id: 't', name: 'tag', changes: 1, base: 0, firstCallId: 'first' },
  ]);
});

it('drops an unfinished plan, and never a finished undo', async () => {
  const undos = repositoryOf();
  await undos.start(two, undefined, planFor('a'));
  await repositoryOf(other).drop(two);
  expect(await undos.get(two)).toBeDefined();
  await undos.drop(two);
  expect(await undos.get(two)).toBeUndefined();
  await undos.start(two, undefined, planFor('b'));
  await undos.finish(two, planFor('b'), answerFor('b'));
  await undos.drop(two);
  expect((await undos.get(two))?.answer).toEqual(answerFor('b'));
});

it('removes the undos of one document', async () => {
  const undos = repositoryOf();
  await undos.start(three, documentId, planFor('c'));
  await undos.forgetDocument('d'.repeat(24));
  await repositoryOf(other).forgetDocument(documentId);
  expect(await undos.get(three)).toBeDefined();
  await undos.forgetDocument(documentId);
  expect(await undos.get(three)).toBeUndefined();
});

it('throws other errors of the database', async () => {
  await expect(repositoryOf().start(one, 'no id', planFor('x'))).rejects.toThrow();
});
