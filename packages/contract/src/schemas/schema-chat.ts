import { z } from 'zod';

/** The type of a column's values. `currency` is an amount of money, a number with a decimal point. */
export const columnType = z.enum(['text', 'number', 'date', 'currency', 'boolean']);
export type ColumnType = z.infer<typeof columnType>;

const columnDescription = z.string().max(4000);
const columnRegex = z.string().max(1000);
const allowedValuesText = z.string().max(10_000);
const reservedNames = new Set(['__proto__', 'constructor', 'prototype']);
/** The name of a column. It becomes the name of a property, whose paths are written with dots. */
export const columnName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => !name.includes('.'), 'A column name has no dot, because paths are written with dots.')
  .refine((name) => !/\p{Cc}/u.test(name), 'A column name has no control characters.')
  .refine((name) => !reservedNames.has(name), 'This name is reserved. Choose another one.');

/** A column in the client's state. The server assigns its id; calls cannot set it. */
export const column = z.object({
  id: z.string().min(1).max(100),
  name: z.string().max(200),
  type: columnType,
  description: columnDescription.default(''),
  /**
   * Comma-separated values; empty allows any value. A value with a comma, a quote, a line break, or a space at its start or
   * end is written in double quotes, with inner quotes doubled: `open, "closed, paid", "5"" pipe"`.
   */
  allowedValues: allowedValuesText.default(''),
  /** Empty allows any text. Look-around, back references, and repeated groups that can backtrack without bound are refused. */
  regex: columnRegex.default(''),
  /** Whether the page shows the column expanded. */
  expanded: z.boolean().optional(),
});
export type Column = z.infer<typeof column>;
export const columnList = z.array(column).max(200);

const tableName = z.string().min(1).max(200);
/** A list of objects with these columns. Their ids are unique among all columns. */
export const columnTable = z.object({ name: tableName, columns: columnList });
export type ColumnTable = z.infer<typeof columnTable>;
const columnTables = z.array(columnTable).max(200);

export const questionOption = z.object({
  id: z.string().min(1).max(100),
  label: z.string().min(1).max(200),
  description: z.string().max(1000).optional(),
});

export const question = z.object({
  id: z.string().min(1).max(100),
  header: z.string().min(1).max(80),
  questionText: z.string().min(1).max(2000),
  options: z.array(questionOption).min(2).max(6),
  multiSelect: z.boolean(),
  allowOther: z.boolean(),
});
export type Question = z.infer<typeof question>;

/** The fields of a column in the arguments of calls. The arguments are in the contract so that a page can show the change. */
const columnDetails = {
  name: columnName,
  type: columnType,
  description: columnDescription,
  allowedValues: allowedValuesText,
  regex: columnRegex,
};
export const addColumnArguments = z.strictObject({
  ...columnDetails,
  type: columnType.default('text'),
  description: columnDetails.description.default(''),
  allowedValues: columnDetails.allowedValues.default(''),
  regex: columnDetails.regex.default(''),
  /** The name of a list. The column is added to its rows. */
  table: tableName.optional(),
});
export const editColumnArguments = z.strictObject({
  columnId: z.string().min(1).max(100),
  /** The changed fields. An empty text clears allowedValues or regex. */
  updates: z.strictObject(columnDetails).partial().describe('Fields of set_columns.'),
});
/**
 * Many columns in one call. Those without `columnId` are added, to the list `table` if it is given; the given fields of the
 * others are changed. Nothing is changed if one of them is invalid.
 */
export const setColumnsArguments = z.strictObject({
  columns: z
    .array(z.strictObject({ columnId: z.string().min(1).max(100), ...columnDetails, table: tableName }).partial())
    .max(200)
    .default([]),
  /** Ids of columns. */
  remove: z.array(z.string().min(1).max(100)).max(200).default([]),
});
export const removeColumnArguments = z.strictObject({ columnId: z.string().min(1).max(100) });
export const updateProjectDescriptionArguments = z.strictObject({ description: z.string().max(4000) });
export const setMultiRowModeArguments = z.strictObject({ enabled: z.boolean() });

/**
 * A flag with the name of a tool and the value `false` disables that tool: it is not offered to the model, and a decided
 * call of it fails. Other flags belong to the client: they are returned, and listed in `flagsWithoutEffect`.
 */
export const featureFlags = z
  .record(z.string().min(1).max(100), z.union([z.boolean(), z.number(), z.string().max(1000)]))
  .refine((flags) => Object.keys(flags).length <= 100, 'There are at most 100 feature flags.');
export type FeatureFlags = z.infer<typeof featureFlags>;
/** Omitted flags are unchanged. */
export const setFeatureFlagsArguments = z.strictObject({ flags: featureFlags });

/** The tools of schema chat: those that need approval, those that the user answers, and those that run at once. */
export const schemaChatTools = {
  approval: [
    'set_columns',
    'add_column',
    'edit_column',
    'remove_column',
    'update_project_description',
    'set_multi_row_mode',
    'set_feature_flags',
  ],
  person: ['ask_questions', 'request_example_image'],
  atOnce: ['get_current_schema', 'get_project_settings', 'get_feature_flags', 'analyze_document'],
} as const;

const schemaChatToolNames: ReadonlySet<string> = new Set(Object.values(schemaChatTools).flat());

/** The names of flags that are not names of tools. */
export function flagsWithoutEffect(flags: FeatureFlags): string[] {
  return Object.keys(flags).filter((name) => !schemaChatToolNames.has(name));
}

const textPart = z.object({ type: z.literal('text'), text: z.string().max(200_000) });
/** `url` is a data URL (`data:image/png;base64,…`): PNG, JPEG, WebP or GIF. */
const imagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object({ url: z.string().max(8_000_000), detail: z.enum(['auto', 'low', 'high']).optional() }),
});
const content = z.union([z.string().max(200_000), z.array(z.union([textPart, imagePart])).max(50)]);

const toolCall = z.object({
  id: z.string().min(1).max(10_000),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string().max(200), arguments: z.string().max(1_000_000) }),
});

/** A message in OpenAI's form. User messages and results of calls can contain images. */
export const schemaChatMessage = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  content: content.nullish(),
  tool_calls: z.array(toolCall).max(100).optional(),
  tool_call_id: z.string().max(10_000).optional(),
});
export type SchemaChatMessage = z.infer<typeof schemaChatMessage>;

/** Text of a document. The client keeps it, and the model gets it as data. */
export const documentAnalysis = z.looseObject({
  documentId: z.string().max(100).optional(),
  documentName: z.string().max(1000).optional(),
  pageCount: z.number().int().nullish(),
  /** The beginning of the document's text. */
  excerpt: z.string().max(20_000).optional(),
});
export type DocumentAnalysis = z.infer<typeof documentAnalysis>;

/** The client's state of the project, the same for both modes. */
const project = {
  currentColumns: columnList,
  /** Lists of objects beside the columns. */
  currentTables: columnTables.default([]),
  /** The client's id of the project. The server stores nothing under it. */
  projectId: z.string().max(200).default(''),
  projectDescription: z.string().max(4000).default(''),
  multiRowExtraction: z.boolean().default(false),
  featureFlags: featureFlags.default({}),
};

export const schemaChatSettings = z.object({
  /** A model of the endpoint, or one of the organization's models. Omitted or empty: the organization's default. */
  modelName: z.string().max(200).optional(),
  /** An alias of `modelName`. If both are given, `modelName` is used. */
  model: z.string().max(200).optional(),
  /** The key of the endpoint. Neither stored nor logged. */
  apiKey: z
    .string()
    .max(1000)
    .regex(/^[\x21-\x7e]*$/, 'A key has no spaces.')
    .optional(),
  /** OpenAI compatible, with or without `/chat/completions`. Omitted or empty: the organization's model. */
  endpoint: z.string().max(2000).optional(),
});
export type SchemaChatSettings = z.infer<typeof schemaChatSettings>;

export const schemaChatChatBody = z.object({
  mode: z.literal('chat'),
  messages: z.array(schemaChatMessage).min(1).max(1000),
  settings: schemaChatSettings,
  ...project,
  documentAnalyses: z
    .array(documentAnalysis)
    .max(20)
    .refine((analyses) => JSON.stringify(analyses).length <= 200_000, 'The analyses are too long. Leave out old ones.')
    .default([]),
});
export type SchemaChatChatBody = z.infer<typeof schemaChatChatBody>;

export const toolDecision = z.object({
  id: z.string().min(1).max(200),
  function: z.object({ name: z.string().max(200), arguments: z.string().max(1_000_000) }),
  approved: z.boolean(),
});
export type ToolDecision = z.infer<typeof toolDecision>;

export const schemaChatExecuteBody = z.object({
  mode: z.literal('execute'),
  toolDecisions: z.array(toolDecision).max(100),
  ...project,
});
export type SchemaChatExecuteBody = z.infer<typeof schemaChatExecuteBody>;

export const schemaChatBody = z.discriminatedUnion('mode', [schemaChatChatBody, schemaChatExecuteBody]);
export type SchemaChatBody = z.infer<typeof schemaChatBody>;

/** A call that waits for approval, in the form that `toolDecisions` accepts. */
export const pendingTool = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
export type PendingTool = z.infer<typeof pendingTool>;

/** The answers to all questions of one call go into one tool message, best as JSON `{ "answers": [{ question_id, option_ids, other? }] }`. */
export const askedQuestion = question.extend({ tool_call_id: z.string() });
export type AskedQuestion = z.infer<typeof askedQuestion>;

export const imageRequest = z.object({
  id: z.string(),
  /** What the image should show and why, for the user. */
  message: z.string(),
  tool_call_id: z.string(),
});
export type ImageRequest = z.infer<typeof imageRequest>;

/** A message that the client appends to its history unchanged. */
export const newMessage = z.union([
  z.object({ role: z.literal('assistant'), content: z.string(), tool_calls: z.array(toolCall).optional() }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
]);
export type NewMessage = z.infer<typeof newMessage>;

export const schemaChatAnswer = z.object({
  success: z.literal(true),
  /** The texts of all the model's answers in this request. */
  assistantMessage: z.string(),
  newMessages: z.array(newMessage),
  pendingTools: z.array(pendingTool),
  questions: z.array(askedQuestion),
  imageRequests: z.array(imageRequest),
  /** Results by call id; `{ error }` for a failed call. */
  autoExecuteResults: z.record(z.string(), z.unknown()),
  /** The request's messages followed by the new ones. They replace the client's messages. */
  documentAnalyses: z.array(documentAnalysis),
  /** Unchanged from the request. */
  currentColumns: z.array(column),
  /** Absent if there are none. */
  flagsWithoutEffect: z.array(z.string()).optional(),
  /** The round limit was reached and no call is pending: append `newMessages` and send another request. */
  shouldContinue: z.boolean(),
});
export type SchemaChatAnswer = z.infer<typeof schemaChatAnswer>;

export const executedTool = z.object({
  id: z.string(),
  name: z.string(),
  success: z.boolean(),
  error: z.string().optional(),
});
export type ExecutedTool = z.infer<typeof executedTool>;

export const schemaExecuteAnswer = z.object({
  /** Whether every approved call ran. */
  success: z.boolean(),
  /** In the order of the decisions. */
  results: z.array(executedTool),
  updatedColumns: z.array(column),
  updatedTables: z.array(columnTable),
  updatedDescription: z.string(),
  updatedMultiRowExtraction: z.boolean(),
  updatedFeatureFlags: featureFlags,
  /** Absent if there are none. */
  flagsWithoutEffect: z.array(z.string()).optional(),
  /** One for each decision, including rejected ones. The client appends them to its history. */
  toolMessages: z.array(z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() })),
});
export type SchemaExecuteAnswer = z.infer<typeof schemaExecuteAnswer>;
