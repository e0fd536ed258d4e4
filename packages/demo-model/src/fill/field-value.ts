import { datesIn } from '../values/date.ts';
import { codedKindOf, findCoded } from './coded-field.ts';
import { findInClauses } from './contract-clauses.ts';
import { findCurrency } from './currency-field.ts';
import type { DocumentFacts } from './document-facts.ts';
import type { Field } from './field.ts';
import { findByFieldName } from './captions/labelled-field.ts';
import { labelledValues } from './labelled-values.ts';
import type { Found, PageContext } from './page-context.ts';
import { findPartyField } from './parties/party-field.ts';
import { findPhone } from './parties/phone-field.ts';

type Value = Found<string | number>;

/** If rules know the labels of a field, another label must match its name almost exactly. */
const surelyNamed = 0.85;

/** The value of a scalar field, or null when no value is reliable enough. */
export function findFieldValue(field: Field, facts: DocumentFacts): Value | null {
  const { context } = facts;
  const coded = codedKindOf(field);
  if (coded) return findCoded(coded, field, context);
  if (/(?:^| )currency(?: code)?$/u.test(field.words)) return findCurrency(context);
  const clause = findInClauses(field.words, context);
  if (clause) return clause;
  // A form's own caption says more than the letterhead: `company` may be an employer.
  const captioned = field.meaning === undefined ? null : findByFieldName(field, context, surelyNamed);
  if (captioned) return captioned;
  const party = findPartyField(field, facts.parties);
  if (party !== undefined) return party;
  if (/(?:^| )(?:phone|telephone|tel|fax|mobile)(?: number| no)?$/u.test(field.words)) return findPhone(field, context);
  return findByConcept(field, facts);
}

function findByConcept(field: Field, { context, totals }: DocumentFacts): Value | null {
  const { concept } = field;
  if (!concept) return findByFieldName(field, context);
  if (concept.kind === 'amount') return totals.get(concept.name) ?? null;
  const [best] = labelledValues(concept, context);
  const found = best ?? findByFieldName(field, context, surelyNamed);
  return found ?? (concept.name === 'invoice_date' ? firstDate(context) : null);
}

/** The paper's own date can have no label: then it is the first date. */
function firstDate(context: PageContext): Value | null {
  for (const line of context.lines) {
    const [date] = datesIn(line.text, context.dayOrder);
    if (date) return { value: date.iso, written: line.text.slice(date.start, date.end), line, score: 1 };
  }
  return null;
}
