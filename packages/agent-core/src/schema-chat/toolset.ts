import type { FeatureFlags } from '@docwright/contract';
import type { LlmTool } from '../llm/llm-client.ts';
import { furtherToolsDefinition } from '../tool/further-tools.ts';
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

/**
 * What a model is offered: the tool that nearly every conversation needs whole, the others as lines of one, so that not
 * each request carries their definitions.
 */
export function offeredOf(toolset: Toolset<SchemaChatServices>): readonly LlmTool[] {
  const isWhole = ({ name }: Tool<SchemaChatServices>) => name === setColumns.name;
  const further = toolset.definitionsOf((tool) => !isWhole(tool));
  return [...toolset.definitionsOf(isWhole), ...(further.length === 0 ? [] : [furtherToolsDefinition(further)])];
}
