import type { FeatureFlags } from '@docwright/contract';
import type { LlmTool } from '../llm/llm-client.ts';
import { furtherToolsDefinition } from '../tool/further-tools.ts';
import type { Tool } from '../tool/tool.ts';
import { createToolset, type Toolset } from '../tool/toolset.ts';
import { analyzeDocument } from './analyze-document.ts';
import { addColumn, editColumn, removeColumn, setColumns } from './column-tools.ts';
import { askDesignQuestions, requestExampleImage } from './user-tools.ts';
import {
  getCurrentSchema,
  getFeatureFlags,
  getProjectSettings,
  setFeatureFlags,
  setMultiRowMode,
  updateProjectDescription,
} from './project-tools.ts';
import type { SchemaChatServices } from './services.ts';

/** Tools that change the project, tools that the user answers, read-only tools. */
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

/** The tools without those that the project's flags disable: a flag with a tool's name and the value `false` does. */
export function schemaChatToolsetFor(flags: FeatureFlags): Toolset<SchemaChatServices> {
  const enabled = tools.filter(({ name }) => flags[name] !== false);
  return enabled.length === tools.length ? schemaChatToolset : createToolset<SchemaChatServices>(enabled);
}

/**
 * The definitions to offer: set_columns, which nearly every conversation needs, and the others as lines of `use_tool`, to
 * keep requests small.
 */
export function offeredOf(toolset: Toolset<SchemaChatServices>): readonly LlmTool[] {
  const isWhole = ({ name }: Tool<SchemaChatServices>) => name === setColumns.name;
  const further = toolset.definitionsOf((tool) => !isWhole(tool));
  return [...toolset.definitionsOf(isWhole), ...(further.length === 0 ? [] : [furtherToolsDefinition(further)])];
}
