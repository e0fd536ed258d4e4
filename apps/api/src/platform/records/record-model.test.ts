import mongoose from 'mongoose';
import { expect, expectTypeOf, it } from 'vitest';
import { field, modelOf, recordSchema, type StoredRecord } from './record-model.ts';

const noteSchema = recordSchema(
  {
    organization_id: field.objectId,
    title: field.text,
    kind: field.oneOf<'task' | 'idea'>('task', 'idea'),
    body: field.text.unchecked(),
    due_at: field.date.orNull(),
    changes: field.number.default(1),
    is_done: field.mark.optional(),
    tag_ids: field.objectId.list(),
    hidden_tags: field.text.list().optional(),
    parts: field.part({ name: field.text, rank: field.number.optional() }).list(),
    settings: field.mixed<Record<string, string>>().default({}),
    lease: field.mixed<{ token: string }>().optionalOrNull(),
  },
  { collection: 'notes', keepsEmptyObjects: true },
);
const noteModel = modelOf('Note', noteSchema);
const connection = mongoose.createConnection();
const organization_id = new mongoose.Types.ObjectId();

it('gives a record the type of its fields', () => {
  type Note = StoredRecord<typeof noteSchema>;
  expectTypeOf<Note['_id']>().toEqualTypeOf<mongoose.Types.ObjectId>();
  expectTypeOf<Note['kind']>().toEqualTypeOf<'task' | 'idea'>();
  expectTypeOf<Note['due_at']>().toEqualTypeOf<Date | null>();
  expectTypeOf<Pick<Note, 'is_done'>>().toEqualTypeOf<{ is_done?: true }>();
  expectTypeOf<Note['parts']>().toEqualTypeOf<{ name: string; rank?: number }[]>();
  expectTypeOf<Pick<Note, 'lease'>>().toEqualTypeOf<{ lease?: { token: string } | null }>();
});

it('fills in defaults, leaves out what is absent, and keeps empty objects', () => {
  const Note = noteModel(connection);
  const stored = new Note({ organization_id, title: 'A', kind: 'task', body: '', parts: [{ name: 'B' }] }).toObject();
  const { _id, ...fields } = stored;
  expect(_id).toBeInstanceOf(mongoose.Types.ObjectId);
  expect(fields).toEqual({
    organization_id,
    title: 'A',
    kind: 'task',
    body: '',
    due_at: null,
    changes: 1,
    tag_ids: [],
    parts: [{ name: 'B' }],
    settings: {},
  });
});

it('refuses a new record without a required field, or with another value than those of the field', () => {
  const Note = noteModel(connection);
  const refused = new Note({ title: '', kind: 'dream' } as never).validateSync();
  expect(Object.keys(refused?.errors ?? {}).toSorted()).toEqual(['kind', 'organization_id', 'title']);
});

it('has one model of a schema on a connection', () => {
  expect(noteModel(connection)).toBe(noteModel(connection));
  expect(noteModel(mongoose.createConnection())).not.toBe(noteModel(connection));
});
