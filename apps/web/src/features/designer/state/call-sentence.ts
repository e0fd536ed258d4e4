import type { Column, PendingTool } from '@docwright/contract';
import { isRecord, parseJson } from '../../../shared/http/json-value.ts';
import { columnFields, fieldLabels } from './column-labels.ts';
import { proposalOf } from './proposals.ts';

/** What a call is, in one line for a person. */
export function callSentence(call: PendingTool, columns: Column[]): string {
  const proposal = proposalOf(call);
  const nameOf = (id: string) => {
    const found = columns.find((column) => column.id === id);
    return found === undefined ? 'a column that is gone' : `“${found.name}”`;
  };
  switch (proposal.kind) {
    case 'add':
      return `Add “${proposal.column.name}”`;
    case 'edit': {
      const changed = columnFields.filter((field) => proposal.updates[field] !== undefined);
      const parts = changed.map((field) => fieldLabels[field].toLowerCase()).join(', ');
      return `Change ${nameOf(proposal.columnId)}${parts === '' ? '' : `: ${parts}`}`;
    }
    case 'remove':
      return `Remove ${nameOf(proposal.columnId)}`;
    case 'description':
      return 'Describe the documents anew';
    case 'multiRow':
      return proposal.enabled ? 'Take many rows from a document' : 'Take one record from a document';
    case 'flags':
      return `Set ${Object.keys(proposal.flags).join(', ')}`;
    case 'unreadable':
      return otherCalls[call.function.name]?.(call) ?? call.function.name;
  }
}

function documentIn(call: PendingTool): string {
  const args = parseJson(call.function.arguments);
  const name = isRecord(args) ? (args['documentName'] ?? args['documentId']) : undefined;
  return typeof name === 'string' ? ` ${name}` : '';
}

const otherCalls: Record<string, (call: PendingTool) => string> = {
  ask_questions: () => 'Questions for you',
  request_example_image: () => 'Wish for an example image',
  get_current_schema: () => 'Looked at the columns',
  get_project_settings: () => 'Looked at the settings',
  get_feature_flags: () => 'Looked at the feature flags',
  analyze_document: (call) => `Read the document${documentIn(call)}`,
};
