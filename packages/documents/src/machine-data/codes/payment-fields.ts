/** The fields of a payment as a code writes them, one after the other. */
export interface Payment {
  profile: string;
  data: Record<string, unknown>;
}

/** Collects the fields of a code: what is wrong is left out and named. */
export function createFields() {
  const fields: Record<string, unknown> = {};
  const problems: string[] = [];
  return {
    /** Adds a value that is not empty, if it is right. */
    add(name: string, value: string | undefined, isRight: (value: string) => boolean, problem: string): void {
      if (!value) return;
      if (isRight(value)) fields[name] = value;
      else problems.push(problem);
    },
    /** Adds a value that has no rule. */
    addText(name: string, value: unknown): void {
      if (value !== undefined && value !== '') fields[name] = value;
    },
    problem(text: string): void {
      problems.push(text);
    },
    data: (): Record<string, unknown> => ({ ...fields, ...(problems.length > 0 ? { problems } : {}) }),
  };
}

/** Amounts with a point and two decimals at most, which are greater than nothing. */
export function isAmount(text: string): boolean {
  return /^\d{1,12}(?:\.\d{1,2})?$/u.test(text) && /[1-9]/u.test(text);
}
