/** Query string of the proposals page: the document kind that is open. */
interface ProposalSearch {
  kind?: string;
}

export function readProposalSearch(search: Record<string, unknown>): ProposalSearch {
  return typeof search['kind'] === 'string' ? { kind: search['kind'] } : {};
}
