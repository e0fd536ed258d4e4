import type { Proposal, Tag } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, ChevronDown, ChevronRight, MessageSquareText, Table2, X } from 'lucide-react';
import { focusWhenVisible } from '../../shared/ui/browser/focus-when-visible.ts';
import { useCallback, useId, useState } from 'react';
import { proposalQuery } from '../../shared/proposals/proposals-api.ts';
import { formatNumber } from '../../shared/formats/locale.ts';
import { formatMoment } from '../../shared/formats/format-document.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button, linkButtonClass } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { KindMatrix } from './kind-matrix.tsx';
import { tagBodyOf, suggestedTag, type TagForKind } from './tag-for-kind.ts';
import { useKindDecisions } from './use-kind-decisions.ts';
import { TagDot } from '../../shared/labels/tag-chips.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import { counted } from '../../shared/formats/counted.ts';
import { TagChoices } from './tag-choices.tsx';
import { ChoiceButton } from '../../shared/ui/fields/choice.tsx';

interface KindCardProps {
  proposal: Proposal;
  tags: readonly Tag[];
  isOpen: boolean;
  onToggle: () => void;
}

/** One kind of document with its counts; open, it shows the documents and the decision about them. */
export function KindCard({ proposal, tags, isOpen, onToggle }: KindCardProps) {
  const { canWrite, orgId } = useSession();
  // The list has only the first documents of each kind.
  const { data: full } = useQuery({ ...proposalQuery(orgId, proposal.id), enabled: isOpen });
  const { documents } = full ?? proposal;
  const { accept, reject } = useKindDecisions({ ...proposal, documents });
  const [tag, setTag] = useState<TagForKind>();
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [isRejecting, setRejecting] = useState(false);
  const bodyId = useId();
  const choose = useCallback((documentIds: readonly string[], isChosen: boolean) => {
    setExcluded((before) => {
      const next = new Set(before);
      for (const id of documentIds) {
        if (isChosen) next.delete(id);
        else next.add(id);
      }
      return next;
    });
  }, []);
  // After a decision about some documents, the next one is about all that are left.
  const chooseAll = () => setExcluded(new Set());
  const ids = documents.map(({ document_id }) => document_id);
  const chosen = new Set(ids.filter((id) => !excluded.has(id)));
  const isAll = chosen.size === ids.length;
  const chosenIds = isAll ? undefined : [...chosen];
  const count = isAll ? proposal.document_count : chosen.size;
  const isBusy = accept.isPending || reject.isPending;
  const chosenTag = tag ?? suggestedTag(proposal, tags);
  const actions = canWrite && (
    <Button
      title={chosenTag.kind === 'new' ? `Tags the documents as ${chosenTag.name}` : undefined}
      look={isOpen ? 'primary' : 'secondary'}
      size="small"
      disabled={isBusy || count === 0}
      className="max-md:h-10 max-md:flex-1"
      onClick={() => accept.mutate(tagBodyOf(chosenTag, chosenIds), { onSuccess: chooseAll })}
    >
      <Check aria-hidden className="size-4" /> Accept {count > 1 ? count : ''}
    </Button>
  );
  return (
    <section aria-label={proposal.name} className="rounded-lg border border-line bg-surface">
      <div className="flex items-center gap-2 px-3 py-2">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={onToggle}
          className="flex min-w-0 items-center gap-2 rounded-sm text-left"
        >
          {isOpen ? (
            <ChevronDown aria-hidden className="size-4 shrink-0" />
          ) : (
            <ChevronRight aria-hidden className="size-4 shrink-0" />
          )}
          <h2 className="min-w-0 font-semibold md:truncate">{headingOf(proposal)}</h2>
        </button>
        <Facts proposal={proposal} />
        <span className="flex-1" />
        {!isOpen && canWrite && (
          <span className="inline-flex shrink-0 gap-2 max-md:hidden">
            {actions}
            <Button look="quiet" size="small" disabled={isBusy} onClick={() => setRejecting(true)}>
              Reject
            </Button>
          </span>
        )}
        <span className="shrink-0 text-xs text-ink-faint max-lg:hidden">{formatMoment(proposal.created_at)}</span>
      </div>
      <div id={bodyId}>
        {isOpen && (
          <>
            <div className="flex flex-wrap items-center gap-2 border-y border-line bg-canvas px-3 py-2">
              {canWrite && (
                <>
                  {actions}
                  <span className="text-sm text-ink-soft max-md:hidden">and tag as</span>
                  <TagChoice proposal={proposal} tags={tags} value={chosenTag} onChange={setTag} />
                  {ids[0] !== undefined && (
                    <Link
                      to="/documents/$documentId"
                      params={{ documentId: ids[0] }}
                      search={{ tab: 'agent' }}
                      onClick={() => focusWhenVisible('[data-composer]')}
                      className={`${linkButtonClass('secondary', 'small')} max-md:hidden`}
                    >
                      <MessageSquareText aria-hidden className="size-3.5" /> Refine
                    </Link>
                  )}
                  <Button
                    size="small"
                    disabled={isBusy || count === 0}
                    className="max-md:h-10"
                    onClick={() => setRejecting(true)}
                  >
                    <X aria-hidden className="size-4" /> Reject
                  </Button>
                </>
              )}
              {canWrite && count === 0 && <span className="text-sm text-ink-soft">Choose at least one document.</span>}
              {proposal.schema_revid !== undefined && (
                <Link
                  to="/prompts/$promptId"
                  params={{ promptId: proposal.id }}
                  className={`${linkButtonClass('quiet', 'small')} ml-auto max-md:hidden`}
                >
                  <Table2 aria-hidden className="size-3.5" /> Schema and prompt
                </Link>
              )}
            </div>
            <Matrix proposal={proposal} chosen={chosen} canChoose={canWrite && ids.length > 1} onChoose={choose} />
          </>
        )}
      </div>
      {isRejecting && (
        <ConfirmDialog
          title={`Reject “${proposal.name}” for ${counted(count, 'document')}?`}
          description={
            proposal.accepted || !isAll
              ? 'This deletes the extractions of these documents. The documents and the prompt are kept.'
              : 'This deletes the schema, the prompt and the extractions of the proposal. The documents are kept.'
          }
          action="Reject"
          run={async () => {
            await reject.mutateAsync(chosenIds);
            chooseAll();
          }}
          onClose={() => setRejecting(false)}
        />
      )}
    </section>
  );
}

/** Values are loaded when a kind is opened, so that the list of kinds stays small. */
function Matrix({ proposal, ...rest }: Omit<Parameters<typeof KindMatrix>[0], 'proposal'> & { proposal: Proposal }) {
  const { orgId } = useSession();
  const full = useQuery(proposalQuery(orgId, proposal.id));
  if (full.error && !full.data) return <RetryNotice error={full.error} retry={() => void full.refetch()} />;
  if (!full.data) return <Skeleton className="m-3 h-32" />;
  return <KindMatrix proposal={full.data} {...rest} />;
}

function headingOf({ accepted, name, document_count }: Proposal): string {
  const documents = counted(document_count, 'document');
  if (accepted) return `${documents} ${document_count === 1 ? 'fits' : 'fit'} your prompt “${name}”`;
  return `${documents} · ${name}`;
}

function Facts({ proposal: { accepted, documents, fields } }: { proposal: Proposal }) {
  const found = documents.reduce((sum, document) => sum + document.found, 0);
  const of = documents.reduce((sum, document) => sum + document.of, 0);
  const toCheck = documents.reduce((sum, { to_check = 0 }) => sum + to_check, 0);
  const chip = 'rounded-sm px-1.5 py-0.5 text-xs whitespace-nowrap max-md:hidden';
  return (
    <>
      <span className={`${chip} bg-sunken text-ink-soft`}>
        {accepted ? 'nothing new is created' : counted(fields.length, 'field')}
      </span>
      <span className={`${chip} ${found * 10 >= of * 9 ? 'bg-good-soft text-good' : 'bg-warn-soft text-warn'}`}>
        {formatNumber(found)} of {formatNumber(of)} values found
      </span>
      {toCheck > 0 && <span className={`${chip} bg-warn-soft text-warn`}>{formatNumber(toCheck)} to check</span>}
    </>
  );
}

interface TagChoiceProps {
  proposal: Pick<Proposal, 'name'>;
  tags: readonly Tag[];
  value: TagForKind;
  onChange: (tag: TagForKind) => void;
}

/** Chooses the tag that documents and prompt get when the kind is accepted. */
function TagChoice({ proposal, tags, value, onChange }: TagChoiceProps) {
  const chosen = value.kind === 'tag' ? tags.find(({ tag_id }) => tag_id === value.tagId) : undefined;
  const label = value.kind === 'new' ? `New: ${value.name}` : (chosen?.name ?? 'No tag');
  return (
    <Menu
      align="start"
      trigger={
        <ChoiceButton
          aria-label={`Tag: ${label}`}
          icon={chosen && <TagDot tag={chosen} />}
          className="max-w-56 max-md:order-first max-md:h-10 max-md:w-full max-md:max-w-none"
        >
          {label}
        </ChoiceButton>
      }
    >
      <TagChoices proposal={proposal} tags={tags} value={value} onChange={onChange} />
    </Menu>
  );
}
