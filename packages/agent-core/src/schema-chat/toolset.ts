import { createToolset } from '../tool/toolset.ts';
import { analyzeDocument } from './analyze-document.ts';
import { addColumn, editColumn, removeColumn, setColumns } from './column-tools.ts';
import { askQuestions, requestExampleImage } from './person-tools.ts';
import {
  getCurrentSchema,
  getFeatureFlags,
  getProjectSettings,
  setFeatureFlags,
  setMultiRowMode,
  updateProjectDescription,
} from './project-tools.ts';
import type { SchemaChatServices } from './services.ts';

/** The tools of schema chat: those that change the project, those that the person answers, those that only read. */
export const schemaChatToolset = createToolset<SchemaChatServices>([
  setColumns,
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
