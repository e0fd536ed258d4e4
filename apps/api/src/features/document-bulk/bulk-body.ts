import { DomainError, type CreateDocumentBulkBody, type DocumentBulkAction } from '@docwright/contract';

type Field = 'tag_ids' | 'prompt_id' | 'message' | 'auto_approved_tools' | 'on_ask' | 'only_estimated';

/** The required and optional fields of each action. */
const fieldsOf: Record<DocumentBulkAction, { required: Field[]; optional: Field[] }> = {
  tag: { required: ['tag_ids'], optional: [] },
  untag: { required: ['tag_ids'], optional: [] },
  delete: { required: [], optional: [] },
  restore: { required: [], optional: [] },
  purge: { required: [], optional: [] },
  extract: { required: [], optional: ['prompt_id', 'only_estimated'] },
  auto_create: { required: [], optional: ['message', 'on_ask', 'only_estimated'] },
  message: { required: ['message'], optional: ['auto_approved_tools', 'on_ask'] },
};
const allFields: Field[] = ['tag_ids', 'prompt_id', 'message', 'auto_approved_tools', 'on_ask', 'only_estimated'];

/** Throws `documents_needed` unless the body says which documents, in one of two ways. */
export function requireSelection(body: Pick<CreateDocumentBulkBody, 'query' | 'document_ids'>): void {
  if ((body.query === undefined) === (body.document_ids === undefined)) {
    throw new DomainError(
      'invalid',
      'documents_needed',
      'Send either document_ids or query. An empty query matches all documents.',
    );
  }
}

/** Throws `action_fields`, `documents_needed`. */
export function requireFields(body: CreateDocumentBulkBody): void {
  requireSelection(body);
  const { required, optional } = fieldsOf[body.action];
  const missing = required.find((field) => body[field] === undefined);
  const extra = allFields.find((field) => body[field] !== undefined && ![...required, ...optional].includes(field));
  if (body.action === 'purge' && body.query !== undefined && body.expected_count === undefined) {
    const message =
      'Removing by a query needs expected_count, the number of documents that the user saw: this cannot be undone. Read it from GET …/documents/trash and add it.';
    throw new DomainError('invalid', 'action_fields', message);
  }
  if (missing !== undefined) {
    throw new DomainError('invalid', 'action_fields', `The action ${body.action} needs ${missing}. Add it.`);
  }
  if (extra !== undefined) {
    throw new DomainError('invalid', 'action_fields', `The action ${body.action} has no ${extra}. Omit it.`);
  }
}
