import { describe, expect, it } from 'vitest';
import { documentAgentTools } from './index.ts';

describe('the registry', () => {
  it('holds the tools of the contract, each on its side', () => {
    const names = (effect: string) =>
      documentAgentTools.tools
        .filter((tool) => tool.effect === effect)
        .map(({ name }) => name)
        .toSorted();
    expect(names('read_only')).toEqual(
      [
        'ask_questions evaluate_change get_extraction_result get_ocr_text get_prompt get_schema get_tag help_prompts help_schemas',
        'list_documents list_llm_models list_prompts list_schemas list_tags propose_split search_document validate_against_schema validate_schema view_page',
      ]
        .join(' ')
        .split(' '),
    );
    expect(names('read_write')).toEqual(
      [
        'create_prompt create_schema create_tag delete_document delete_prompt delete_schema delete_tag edit_prompt edit_schema',
        'propose_plan run_extraction split_document',
        'update_document update_extraction_field update_prompt update_schema update_tag',
      ]
        .join(' ')
        .split(' '),
    );
  });

  it('describes every tool and parameter to the model as a closed object', () => {
    for (const { function: definition } of documentAgentTools.definitions) {
      const { type, properties } = definition.parameters as { type: string; properties: Record<string, object> };
      expect(definition.description.length).toBeGreaterThan(15);
      expect(type).toBe('object');
      if (definition.name === 'ask_questions') continue;
      for (const property of Object.values(properties)) expect(property).toHaveProperty('description');
    }
  });

  it('asks for a summary from every tool', () => {
    expect(documentAgentTools.tools.filter((tool) => !tool.summarize)).toEqual([]);
  });
});
