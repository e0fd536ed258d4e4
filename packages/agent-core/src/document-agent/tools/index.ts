import { createProposePlan } from '../../plans/propose-plan.ts';
import { createRunPlan } from '../../plans/run-plan.ts';
import type { Tool } from '../../tool/tool.ts';
import { createToolset, type Toolset } from '../../tool/toolset.ts';
import type { DocumentAgentServices } from '../context/services.ts';
import { askQuestions } from './questions/ask-questions.ts';
import { createPrompt } from './prompts/create-prompt.ts';
import { createSchema } from './schemas/create-schema.ts';
import { createTag } from './tags/create-tag.ts';
import { deleteDocument } from './documents/delete-document.ts';
import { deletePrompt } from './prompts/delete-prompt.ts';
import { deleteSchema } from './schemas/delete-schema.ts';
import { deleteTag } from './tags/delete-tag.ts';
import { getExtractionResult } from './extraction/get-extraction-result.ts';
import { getMachineData } from './documents/get-machine-data.ts';
import { getOcrText } from './documents/get-ocr-text.ts';
import { getPrompt, listLlmModels, listPrompts } from './prompts/read-prompts.ts';
import { getSchema, listSchemas } from './schemas/read-schemas.ts';
import { evaluateChange } from './prompts/evaluate-change.ts';
import { getTag, listTags } from './tags/read-tags.ts';
import { helpPrompts, helpSchemas } from './help.ts';
import { listDocuments } from './documents/list-documents.ts';
import { releaseResult } from './extraction/release-result.ts';
import { runExtraction } from './extraction/run-extraction.ts';
import { searchDocument } from './documents/search-document.ts';
import { proposeSplit, splitDocument } from './documents/split-document.ts';
import { updateDocument } from './documents/update-document.ts';
import { updateExtractionField } from './extraction/update-extraction-field.ts';
import { editPrompt, updatePrompt } from './prompts/update-prompt.ts';
import { editSchema, updateSchema } from './schemas/update-schema.ts';
import { viewPage } from './documents/view-page.ts';
import { withKnownReferences } from './shared/known-references.ts';
import { updateTag } from './tags/update-tag.ts';
import { validateAgainstSchema, validateSchema } from './schemas/validate-schema.ts';

/** Their order here is their order in each request. */
const tools: Tool<DocumentAgentServices>[] = [
  getOcrText,
  searchDocument,
  proposeSplit,
  viewPage,
  getExtractionResult,
  getSchema,
  listSchemas,
  validateSchema,
  validateAgainstSchema,
  getPrompt,
  listPrompts,
  evaluateChange,
  getTag,
  listTags,
  listDocuments,
  getMachineData,
  listLlmModels,
  helpSchemas,
  helpPrompts,
  askQuestions,
  runExtraction,
  updateExtractionField,
  releaseResult,
  createSchema,
  updateSchema,
  editSchema,
  deleteSchema,
  createPrompt,
  updatePrompt,
  editPrompt,
  deletePrompt,
  createTag,
  updateTag,
  deleteTag,
  updateDocument,
  deleteDocument,
  splitDocument,
  createProposePlan<DocumentAgentServices>(() => documentAgentTools),
  createRunPlan<DocumentAgentServices>(),
];

/** All tools of the document agent. */
export const documentAgentTools: Toolset<DocumentAgentServices> = createToolset<DocumentAgentServices>(
  tools.map(withKnownReferences),
);
