import type { RevisionedKind } from '../revisions/index.ts';

/** The wanted name, or the first of `Invoice 2`, `Invoice 3` … that nothing else of the organization has. */
export type FreeName = (
  organizationId: string,
  kind: RevisionedKind,
  wanted: string,
  /** Its own name does not stand in its way. */
  exceptId?: string,
) => Promise<string>;

interface NameSource {
  /** Whether another thing that is not deleted has the name, in any case; accepted or not. */
  isNamed(name: string, exceptId?: string): Promise<boolean>;
}

const maxTries = 1_000;
const maxLength = 190;

export function createFreeName(sourcesOf: Record<RevisionedKind, (organizationId: string) => NameSource>): FreeName {
  return async (organizationId, kind, wanted, exceptId) => {
    const source = sourcesOf[kind](organizationId);
    const name = wanted.trim().slice(0, maxLength);
    if (!(await source.isNamed(name, exceptId))) return name;
    const stem = name.replace(/ \d{1,3}$/u, '');
    for (let number = 2; number < maxTries; number += 1) {
      const numbered = `${stem} ${number}`;
      if (!(await source.isNamed(numbered, exceptId))) return numbered;
    }
    throw new Error(`A thousand things have the name ${stem}.`);
  };
}
