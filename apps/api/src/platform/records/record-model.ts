import mongoose, { type Connection, type Model, type SchemaDefinition, type Types } from 'mongoose';

interface StoredAs {
  readonly type: unknown;
  /** Checked when a record is created. A text must not be empty then. */
  readonly required?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
}

/** A field of a stored record: how mongoose stores it, and the type of its value. Each method returns a new field. */
class Field<Value> {
  /** Exists for the compiler alone. */
  declare readonly value: Value;
  readonly stored: StoredAs;
  constructor(stored: StoredAs) {
    this.stored = stored;
  }
  /** Absent in some records. */
  optional(): OptionalField<Value> {
    return new OptionalField({ default: undefined, ...this.stored, required: false });
  }
  /** Absent or null in some records. */
  optionalOrNull(): OptionalField<Value | null> {
    return new OptionalField({ default: undefined, ...this.stored, required: false });
  }
  /** Null if a new record does not name it. */
  orNull(): Field<Value | null> {
    return new Field({ ...this.stored, required: false, default: null });
  }
  /** This value, or the result of this function, if a new record does not name it. */
  default(value: Value | ((record: never) => Value)): Field<Value> {
    return new Field({ ...this.stored, required: false, default: value });
  }
  /** In every record, but not checked: a text can be empty. */
  unchecked(): Field<Value> {
    return new Field({ ...this.stored, required: false });
  }
  /** A list of such values; empty if a new record does not name it. */
  list(): Field<Value[]> {
    return new Field({ type: [this.stored.type] });
  }
}

class OptionalField<Value> extends Field<Value> {
  readonly isOptional = true;
}

const required = <Value>(type: unknown) => new Field<Value>({ type, required: true });

/** The kinds of fields of stored records. */
export const field = {
  objectId: required<Types.ObjectId>(mongoose.Schema.Types.ObjectId),
  text: required<string>(String),
  /** A text of this type. If `values` are given, a new record must have one of them. */
  oneOf: <Value extends string>(...values: Value[]) =>
    new Field<Value>({ type: String, required: true, ...(values.length > 0 && { enum: values }) }),
  number: required<number>(Number),
  date: required<Date>(Date),
  flag: required<boolean>(Boolean),
  /** True in the records that have it. */
  mark: required<true>(Boolean),
  bytes: required<Buffer>(Buffer),
  /** Any value, stored as it is. */
  mixed: <Value>() => required<Value>(mongoose.Schema.Types.Mixed),
  /** A value with fields of its own, which are cast like those of a record. */
  part: <Of extends Fields>(fields: Of) =>
    required<FieldsOf<Of>>(new mongoose.Schema(definitionOf(fields), { _id: false })),
};

type Fields = Readonly<Record<string, Field<unknown>>>;

type Flat<Record> = { [Name in keyof Record]: Record[Name] };

/** The type of a value with these fields. */
export type FieldsOf<Of extends Fields> = Flat<
  {
    -readonly [Name in keyof Of as Of[Name] extends OptionalField<unknown> ? never : Name]: Of[Name]['value'];
  } & {
    -readonly [Name in keyof Of as Of[Name] extends OptionalField<unknown> ? Name : never]?: Of[Name]['value'];
  }
>;

type RecordWith<Of extends Fields> = Flat<('_id' extends keyof Of ? unknown : { _id: Types.ObjectId }) & FieldsOf<Of>>;

function definitionOf(fields: Fields): SchemaDefinition {
  return Object.fromEntries(Object.entries(fields).map(([name, { stored }]) => [name, stored])) as SchemaDefinition;
}

/** The type of the records of a schema. */
export type StoredRecord<Schema> = Schema extends mongoose.Schema<infer Record> ? Record : never;

interface RecordOptions {
  collection: string;
  /** Stores empty objects, which are left out otherwise. */
  keepsEmptyObjects?: boolean;
}

/**
 * Declares the records of a collection once: how they are stored, and their type.
 *
 * @example
 * const noteSchema = recordSchema({ title: field.text, due_at: field.date.orNull() }, { collection: 'notes' });
 * noteSchema.index({ due_at: 1 });
 * type NoteRecord = StoredRecord<typeof noteSchema>;
 * const noteModel = modelOf('Note', noteSchema);
 */
export function recordSchema<Of extends Fields>(
  fields: Of,
  { collection, keepsEmptyObjects = false }: RecordOptions,
): mongoose.Schema<RecordWith<Of>> {
  return new mongoose.Schema<RecordWith<Of>>(definitionOf(fields) as SchemaDefinition<RecordWith<Of>>, {
    collection,
    versionKey: false,
    minimize: !keepsEmptyObjects,
    autoIndex: false,
  });
}

/** The model of a schema, which is compiled once for each connection. */
export function modelOf<Record>(
  name: string,
  schema: mongoose.Schema<Record>,
): (connection: Connection) => Model<Record> {
  return (connection) => connection.model<Record>(name, schema);
}
