import type { RevisionedKind } from '../../revisions/index.ts';

/** Returns the preferred name, or the first of `Invoice 2`, `Invoice 3` … that is not used in the organization. */
export type FreeName = (
  organizationId: string,
  kind: RevisionedKind,
  preferred: string,
  /** The object to be named, whose current name counts as free. */
  exceptId?: string,
) => Promise<string>;

interface NameSource {
  /** Whether another object has the name, ignoring case. Includes pending objects, but not deleted ones. */
  isNamed(name: string, exceptId?: string): Promise<boolean>;
}

const maxTries = 1_000;
const maxLength = 190;

export function createFreeName(sourcesOf: Record<RevisionedKind, (organizationId: string) => NameSource>): FreeName {
  return async (organizationId, kind, preferred, exceptId) => {
    const source = sourcesOf[kind](organizationId);
    const name = preferred.trim().slice(0, maxLength);
    if (!(await source.isNamed(name, exceptId))) return name;
    const stem = name.replace(/ \d{1,3}$/u, '');
    for (let number = 2; number < maxTries; number += 1) {
      const numbered = `${stem} ${number}`;
      if (!(await source.isNamed(numbered, exceptId))) return numbered;
    }
    throw new Error(`No free name: a thousand objects are named ${stem}.`);
  };
}
