import { withExactNumbers, type Extraction } from '@docwright/contract';
import { useState } from 'react';
import { counted } from '../../../shared/formats/counted.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { KeyCap } from '../../../shared/ui/key-cap.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { fieldsOf, resultTree } from '../../../shared/values/result-tree.ts';
import type { JsonSchema } from '../../../shared/values/field-shape.ts';
import { valueChanges, type ValueChange } from './value-changes.ts';

/** A verified result and the newest run of its prompt after it, with the values that differ. */
export interface Beside {
  verified: Extraction;
  newer: Extraction;
  /** A row that the verified result lacks cannot be taken alone. */
  changes: (ValueChange & { isTakeable: boolean })[];
}

/**
 * The result to compare with the shown result of a prompt: a newer run beside a verified result, or the verified result
 * beside a newer run. Undefined if there is no such pair, or if no value differs.
 */
export function besideOf(
  extractions: readonly Extraction[],
  shown: Extraction,
  schema?: JsonSchema,
): Beside | undefined {
  const own = extractions.filter(({ prompt_id }) => prompt_id === shown.prompt_id);
  const verified = shown.is_verified ? shown : own.find(({ is_verified }) => is_verified);
  if (verified === undefined) return undefined;
  const later = own
    .filter(({ is_verified, created_at }) => !is_verified && created_at > verified.created_at)
    .toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1));
  const newer = shown.is_verified ? later[0] : later.find(({ prompt_revid }) => prompt_revid === shown.prompt_revid);
  if (newer === undefined) return undefined;
  const changes = valueChanges(withExactNumbers(verified), withExactNumbers(newer), schema);
  if (changes.length === 0) return undefined;
  const known = new Set(fieldsOf(resultTree(verified.result, undefined)).map(({ path }) => path));
  return { verified, newer, changes: changes.map((change) => ({ ...change, isTakeable: known.has(change.path) })) };
}

interface BesideNoticeProps {
  beside: Beside;
  shown: Extraction;
  onShow: (promptRevid: string) => void;
  /** Takes the value of the newer run; absent for viewers. */
  onTake: ((path: string) => void) | undefined;
}

/** Says that a newer run differs from what was verified, value by value. */
export function BesideNotice({ beside: { verified, newer, changes }, shown, onShow, onTake }: BesideNoticeProps) {
  const [isOpen, setOpen] = useState(false);
  const count = counted(changes.length, 'value');
  if (shown.prompt_revid !== verified.prompt_revid) {
    return (
      <Notice
        tone="warn"
        className="mx-3 mt-3 mb-1"
        actions={
          <Button size="small" onClick={() => onShow(verified.prompt_revid)}>
            Show what was verified
          </Button>
        }
      >
        Differs from what was verified in {count}. The verified values stay the document’s until you verify this run.
      </Notice>
    );
  }
  return (
    <Notice
      className="mx-3 mt-3 mb-1"
      actions={
        <>
          <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'} {count}
          </Button>
          <Button size="small" onClick={() => onShow(newer.prompt_revid)}>
            Open the newer run
          </Button>
        </>
      }
    >
      A newer run differs from what was verified in {count}. The verified values stay.
      {isOpen && (
        <ul className="mt-1.5 flex flex-col gap-1">
          {changes.map(({ path, label, before, after, isTakeable }) => (
            <li key={path} className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="wrap-anywhere">
                {label}: {before === '' ? 'not given' : before} → <strong>{after === '' ? 'not given' : after}</strong>
              </span>
              {onTake && isTakeable && (
                <Button size="small" onClick={() => onTake(path)}>
                  Take it
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

interface NewerValueProps {
  /** The value of the newer run; undefined if it does not differ. */
  value: string | undefined;
  onTake: (() => void) | undefined;
}

/** The value of a newer run below a verified one. */
export function NewerValue({ value, onTake }: NewerValueProps) {
  if (value === undefined) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-soft">
      <span className="wrap-anywhere">
        A newer run differs: <span className="text-warn">{value === '' ? 'not given' : value}</span>
      </span>
      {onTake && (
        <button type="button" onClick={onTake} className="inline-flex items-center gap-1 rounded-sm underline">
          Take it <KeyCap name="T" />
        </button>
      )}
    </p>
  );
}
