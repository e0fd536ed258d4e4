import { createToolset } from '../../tool/toolset.ts';
import type { DocumentAgentServices } from '../services.ts';
import { askQuestions } from './ask-questions.ts';
import { createPrompt } from './create-prompt.ts';
import { createSchema } from './create-schema.ts';
import { createTag } from './create-tag.ts';
import { deleteDocument } from './delete-document.ts';
import { deletePrompt } from './delete-prompt.ts';
import { deleteSchema } from './delete-schema.ts';
import { deleteTag } from './delete-tag.ts';
import { getExtractionResult } from './get-extraction-result.ts';
import { getOcrText } from './get-ocr-text.ts';
import { getPrompt } from './get-prompt.ts';
import { getSchema } from './get-schema.ts';
import { getTag } from './get-tag.ts';
import { helpPrompts } from './help-prompts.ts';
import { helpSchemas } from './help-schemas.ts';
import { listDocuments } from './list-documents.ts';
import { listLlmModels } from './list-llm-models.ts';
import { listPrompts } from './list-prompts.ts';
import { listSchemas } from './list-schemas.ts';
import { listTags } from './list-tags.ts';
import { runExtraction } from './run-extraction.ts';
import { updateDocument } from './update-document.ts';
import { updateExtractionField } from './update-extraction-field.ts';
import { updatePrompt } from './update-prompt.ts';
import { updateSchema } from './update-schema.ts';
import { updateTag } from './update-tag.ts';
import { validateAgainstSchema } from './validate-against-schema.ts';
import { validateSchema } from './validate-schema.ts';

/** All that the document agent can do; a tool that is not here does not exist. */
export const documentAgentTools = createToolset<DocumentAgentServices>([
  getOcrText,
  getExtractionResult,
  getSchema,
  listSchemas,
  validateSchema,
  validateAgainstSchema,
  getPrompt,
  listPrompts,
  getTag,
  listTags,
  listDocuments,
  listLlmModels,
  helpSchemas,
  helpPrompts,
  askQuestions,
  runExtraction,
  updateExtractionField,
  createSchema,
  updateSchema,
  deleteSchema,
  createPrompt,
  updatePrompt,
  deletePrompt,
  createTag,
  updateTag,
  deleteTag,
  updateDocument,
  deleteDocument,
]);
