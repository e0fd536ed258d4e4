import {
  DomainError,
  featureFlags,
  flagsWithoutEffect,
  setFeatureFlagsArguments,
  setMultiRowModeArguments,
  updateProjectDescriptionArguments,
  type Column,
} from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import type { SchemaChatServices } from './services.ts';

/** A column for the model, without the page's `expanded`. */
export function columnForModel({
  id,
  name,
  type,
  description,
  allowedValues,
  regex,
}: Column): Omit<Column, 'expanded'> {
  return { id, name, type, description, allowedValues, regex };
}

export const getCurrentSchema = defineTool({
  name: 'get_current_schema',
  description: 'Returns all columns in full. Use it when the state at the end of the messages shortens them.',
  effect: 'read',
  parameters: z.object({}),
  summarize: () => 'Read the columns',
  execute: async ({ services: { project } }: ToolContext<SchemaChatServices>) => ({
    columns: project.columns.map(columnForModel),
    ...(project.tables.length > 0 && {
      lists: project.tables.map(({ name, columns }) => ({ name, columns: columns.map(columnForModel) })),
    }),
    multiRowExtraction: project.multiRow,
  }),
});

export const getProjectSettings = defineTool({
  name: 'get_project_settings',
  description: 'Returns the project settings, as in the state at the end of the messages.',
  effect: 'read',
  parameters: z.object({}),
  summarize: () => 'Read the project’s settings',
  execute: async ({ services: { project } }: ToolContext<SchemaChatServices>) => ({
    description: project.description,
    multiRowExtraction: project.multiRow,
    columnCount: project.columns.length,
    analyzedDocuments: project.analyses.map(({ documentId, documentName }) => ({ documentId, documentName })),
  }),
});

export const getFeatureFlags = defineTool({
  name: 'get_feature_flags',
  description: 'Returns the feature flags, as in the state at the end of the messages, and which have no effect here.',
  effect: 'read',
  parameters: z.object({}),
  summarize: () => 'Read the feature flags',
  execute: async ({ services: { project } }: ToolContext<SchemaChatServices>) => ({
    featureFlags: project.featureFlags,
    withoutEffect: flagsWithoutEffect(project.featureFlags),
  }),
});

export const updateProjectDescription = defineTool({
  name: 'update_project_description',
  description: 'Changes the project description: what the documents are and what is extracted from them.',
  effect: 'write',
  target: 'subject',
  argumentRoles: { description: 'content' },
  parameters: updateProjectDescriptionArguments,
  summarize: ({ description }) => `Describe the project as “${description}”`,
  execute: async ({ services: { project } }: ToolContext<SchemaChatServices>, { description }) => {
    project.description = description;
    return { updated: true };
  },
});

export const setMultiRowMode = defineTool({
  name: 'set_multi_row_mode',
  description:
    'Sets whether a document has many rows of the same columns (a statement, a price list) or one value for each column.',
  effect: 'write',
  target: 'subject',
  argumentRoles: { enabled: 'setting' },
  parameters: setMultiRowModeArguments,
  summarize: ({ enabled }) => (enabled ? 'Take many rows from each document' : 'Take one row from each document'),
  execute: async ({ services: { project } }: ToolContext<SchemaChatServices>, { enabled }) => {
    project.multiRow = enabled;
    return { multiRowExtraction: enabled };
  },
});

export const setFeatureFlags = defineTool({
  name: 'set_feature_flags',
  description:
    'Sets feature flags by name: only existing ones, or ones that the person names. Omitted flags stay. The name of a tool with false disables that tool.',
  effect: 'write',
  target: 'subject',
  argumentRoles: { flags: 'setting' },
  parameters: setFeatureFlagsArguments,
  summarize: ({ flags }) =>
    `Set ${Object.entries(flags)
      .map(([name, value]) => `${name} to ${value}`)
      .join(', ')}`,
  execute: async ({ services: { project } }: ToolContext<SchemaChatServices>, { flags }) => {
    const merged = featureFlags.safeParse({ ...project.featureFlags, ...flags });
    if (!merged.success) {
      throw new DomainError('invalid', 'invalid_flags', merged.error.issues[0]?.message ?? 'These flags do not fit.');
    }
    project.featureFlags = merged.data;
    return { featureFlags: merged.data };
  },
});
