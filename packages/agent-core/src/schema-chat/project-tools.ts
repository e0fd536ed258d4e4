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
  description: 'All columns whole, where they are shortened at the end.',
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
  description: 'As at the end.',
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
  description: 'As at the end, and which have no effect here.',
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
  description: 'What the documents are and what is taken from them.',
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
  description: 'Many rows of the same columns from each document (a statement, a price list), or one value of each.',
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
    'By name, only those that there are or that the person names; others stay, false under the name of a tool withdraws it.',
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
