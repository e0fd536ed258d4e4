import type { CreateSourceBody, Source, Tag } from '@docwright/contract';

/** Where a source that fills itself takes its files from. */
function placeLabel(connector: NonNullable<Source['connector']>): string {
  switch (connector.kind) {
    case 'folder':
      return `Files of the folder ${connector.config.path}`;
    case 's3':
      return `Files of the bucket ${connector.config.bucket}`;
    case 'imap':
      return `Mails of ${connector.config.user}, ${connector.config.folder}`;
  }
}

const stateLabels = { waiting: '', running: ' · syncing now', failing: ' · failing, tried at growing pauses' };

/** Describes the documents of a source. */
export function sourceLabel(
  source: Pick<Source, 'document_ids' | 'tag_ids' | 'name_search' | 'connector' | 'enabled' | 'state'>,
  tags: readonly Pick<Tag, 'tag_id' | 'name'>[],
): string {
  const { document_ids, tag_ids, name_search, connector, enabled, state = 'waiting' } = source;
  if (connector) return `${placeLabel(connector)}${enabled === false ? ' · switched off' : stateLabels[state]}`;
  const parts: string[] = [];
  if (document_ids !== undefined)
    parts.push(document_ids.length === 1 ? 'One selected document' : 'Selected documents');
  if (tag_ids !== undefined && tag_ids.length > 0) {
    const names = tag_ids.map((id) => tags.find(({ tag_id }) => tag_id === id)?.name ?? 'a deleted tag');
    parts.push(`Tagged ${names.join(' and ')}`);
  }
  if (name_search !== undefined) parts.push(`“${name_search}” in the name`);
  if (parts.length === 0) return 'All documents';
  const [first = '', ...rest] = parts;
  return [first, ...rest.map((part) => part.charAt(0).toLowerCase() + part.slice(1))].join(', ');
}

/** Whether a source has the same name and documents as one to be created. */
export function isSameSource(source: Source, { name, document_ids, tag_ids, name_search }: CreateSourceBody): boolean {
  const same = (one: readonly string[] = [], other: readonly string[] = []) =>
    one.toSorted().join() === other.toSorted().join();
  return (
    source.name === name &&
    source.name_search === name_search &&
    same(source.document_ids, document_ids) &&
    same(source.tag_ids, tag_ids)
  );
}

const maxNameLength = 200;

/** The suggested name of a new source. */
export function suggestedSourceName(
  choice: { documents: number | undefined; tagIds: readonly string[]; nameSearch: string },
  tags: readonly Pick<Tag, 'tag_id' | 'name'>[],
): string {
  const { documents, tagIds, nameSearch } = choice;
  if (documents !== undefined) return documents === 1 ? 'One chosen document' : `${documents} chosen documents`;
  const names = tagIds.flatMap((id) => tags.find(({ tag_id }) => tag_id === id)?.name ?? []);
  const name = [...names, ...(nameSearch === '' ? [] : [nameSearch])].join(', ');
  return name === '' ? 'All documents' : name.slice(0, maxNameLength);
}
