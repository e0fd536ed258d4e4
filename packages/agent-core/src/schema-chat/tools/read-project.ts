import type { Column } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { SchemaChatServices } from '../services.ts';

/** A column as the model reads it: whether the page shows it opened is the page's alone. */
export function shownColumn({ id, name, type, description, allowedValues, regex }: Column): Omit<Column, 'expanded'> {
  return { id, name, type, description, allowedValues, regex };
}

export const getCurrentSchema = defineTool({
  name: 'get_current_schema',
  description: 'The columns as they stand, with their ids, and whether a document holds many rows of them.',
  effect: 'read_only',
  parameters: z.object({}),
  summarize: () => 'Read the columns',
  execute: async ({ services: { project } }: ToolContext<SchemaChatServices>) => ({
    columns: project.columns.map(shownColumn),
    multiRowExtraction: project.multiRow,
  }),
});

export const getProjectSettings = defineTool({
  name: 'get_project_settings',
  description: 'The project’s description and whether a document holds many rows.',
  effect: 'read_only',
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
  description: 'The project’s feature flags as they stand.',
  effect: 'read_only',
  parameters: z.object({}),
  summarize: () => 'Read the feature flags',
  execute: async ({ services: { project } }: ToolContext<SchemaChatServices>) => ({
    featureFlags: project.featureFlags,
  }),
});
