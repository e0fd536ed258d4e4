import type { FeatureFlags } from '@docwright/contract';
import type { Tool } from '../tool/tool.ts';
import { createToolset, type Toolset } from '../tool/toolset.ts';
import { analyzeDocument } from './analyze-document.ts';
import { addColumn, editColumn, removeColumn, setColumns } from './column-tools.ts';
import { askDesignQuestions, requestExampleImage } from './person-tools.ts';
import {
  getCurrentSchema,
  getFeatureFlags,
  getProjectSettings,
  setFeatureFlags,
  setMultiRowMode,
  updateProjectDescription,
} from './project-tools.ts';
import type { SchemaChatServices } from './services.ts';

/** Those that change the project, those that the person answers, those that only read. */
const tools: readonly Tool<SchemaChatServices>[] = [
  setColumns,
  addColumn,
  editColumn,
  removeColumn,
  updateProjectDescription,
  setMultiRowMode,
  setFeatureFlags,
  askDesignQuestions,
  requestExampleImage,
  getCurrentSchema,
  getProjectSettings,
  getFeatureFlags,
  analyzeDocument,
];

export const schemaChatToolset = createToolset<SchemaChatServices>(tools);

/** The tools that a project's flags leave: one that is `false` under the name of a tool withdraws it. */
export function schemaChatToolsetFor(flags: FeatureFlags): Toolset<SchemaChatServices> {
  const left = tools.filter(({ name }) => flags[name] !== false);
  return left.length === tools.length ? schemaChatToolset : createToolset<SchemaChatServices>(left);
}
