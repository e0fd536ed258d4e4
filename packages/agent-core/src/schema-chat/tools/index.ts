import { createToolset } from '../../tool/toolset.ts';
import type { SchemaChatServices } from '../services.ts';
import { addColumn } from './add-column.ts';
import { analyzeDocument } from './analyze-document.ts';
import { askQuestions } from './ask-questions.ts';
import { editColumn } from './edit-column.ts';
import { getCurrentSchema, getFeatureFlags, getProjectSettings } from './read-project.ts';
import { removeColumn } from './remove-column.ts';
import { requestExampleImage } from './request-example-image.ts';
import { setFeatureFlags } from './set-feature-flags.ts';
import { setMultiRowMode } from './set-multi-row-mode.ts';
import { updateProjectDescription } from './update-project-description.ts';

/** The tools of schema chat: those that change the project, those that the person answers, those that only read. */
export const schemaChatToolset = createToolset<SchemaChatServices>([
  addColumn,
  editColumn,
  removeColumn,
  updateProjectDescription,
  setMultiRowMode,
  setFeatureFlags,
  askQuestions,
  requestExampleImage,
  getCurrentSchema,
  getProjectSettings,
  getFeatureFlags,
  analyzeDocument,
]);
