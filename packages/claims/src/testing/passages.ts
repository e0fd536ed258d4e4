import type { Language } from './notation.ts';

/** A part of a contract, with sentences that it holds and sentences that it does not. */
export interface PassageCase {
  language: Language;
  passage: string;
  holds: readonly string[];
  lies: readonly string[];
}

const of = (language: Language, passage: string, holds: readonly string[], lies: readonly string[]): PassageCase => ({
  language,
  passage,
  holds,
  lies,
});

export const passageCases: readonly PassageCase[] = [
  of(
    'en',
    'This agreement renews automatically for successive periods of 12 months unless either party gives written notice of termination at least 60 days before the end of the current period.',
    [
      'The contract renews automatically for periods of 12 months.',
      'Written notice of termination must be given at least 60 days before the end of the period.',
      'It says that it “renews automatically for successive periods”.',
      'Unless written notice is given, the agreement renews automatically.',
    ],
    [
      'The contract does not renew automatically.',
      'Written notice must be given at least 61 days before the end of the period.',
      'The contract renews automatically for periods of 24 months.',
      'It says that it “renews only by written consent”.',
    ],
  ),
  of(
    'en',
    'The supplier may not assign this contract without the prior written consent of the customer. The deposit is not refundable.',
    [
      'The supplier may not assign the contract without the prior written consent of the customer.',
      'The deposit is not refundable.',
      'Assigning the contract without prior consent is not allowed to the supplier.',
    ],
    [
      'The supplier may assign the contract without the prior written consent of the customer.',
      'The deposit is refundable.',
      'The supplier may not assign the contract, and the deposit can be refunded within a month by the bank of the insurer.',
    ],
  ),
  of(
    'en',
    'Liability for indirect damages is excluded. The total liability of the provider is limited to USD 250,000 per year.',
    [
      'The liability of the provider is limited to USD 250,000 per year.',
      'Liability for indirect damages is excluded.',
      'The provider’s total liability is limited to 250,000 US dollars a year.',
    ],
    [
      'The liability of the provider is limited to USD 260,000 per year.',
      'Liability for indirect damages is not excluded.',
      'The liability of the provider is limited to EUR 250,000 per year.',
      'The provider’s liability is not limited to USD 250,000 per year.',
    ],
  ),
  of(
    'en',
    'Rent is payable monthly in advance on the third working day. Subletting is permitted only with consent. Pets are not allowed.',
    ['Rent is payable monthly in advance.', 'Pets are not allowed.', 'Subletting is permitted only with consent.'],
    [
      'Pets are allowed.',
      'Rent is not payable in advance.',
      'Subletting is never permitted with consent.',
      'Heating costs are shared between neighbours.',
    ],
  ),
  of(
    'de',
    'Der Vertrag verlängert sich automatisch um ein Jahr, wenn er nicht drei Monate vor Ablauf schriftlich gekündigt wird.',
    [
      'Der Vertrag verlängert sich automatisch um ein Jahr.',
      'Wird er nicht drei Monate vor Ablauf gekündigt, verlängert er sich automatisch.',
      'Die Kündigung muss schriftlich drei Monate vor Ablauf erfolgen.',
    ],
    [
      'Der Vertrag verlängert sich nicht automatisch um ein Jahr.',
      'Er muss vier Monate vor Ablauf schriftlich gekündigt werden.',
      'Der Vertrag verlängert sich automatisch um fünf Jahre.',
    ],
  ),
  of(
    'de',
    'Die Kaution wird nicht verzinst. Eine Untervermietung ist ohne Zustimmung des Vermieters nicht gestattet. Haustiere sind erlaubt.',
    [
      'Die Kaution wird nicht verzinst.',
      'Eine Untervermietung ist ohne Zustimmung des Vermieters nicht gestattet.',
      'Haustiere sind erlaubt.',
    ],
    [
      'Die Kaution wird verzinst.',
      'Eine Untervermietung ist ohne Zustimmung des Vermieters gestattet.',
      'Haustiere sind nicht erlaubt.',
      'Keine Haustiere sind erlaubt.',
    ],
  ),
  of(
    'de',
    'Die Haftung des Auftragnehmers ist auf 50.000 EUR je Schadensfall begrenzt. Für leichte Fahrlässigkeit haftet er nicht.',
    [
      'Die Haftung des Auftragnehmers ist auf 50.000 EUR je Schadensfall begrenzt.',
      'Für leichte Fahrlässigkeit haftet der Auftragnehmer nicht.',
      'Je Schadensfall ist die Haftung auf 50.000 € begrenzt.',
    ],
    [
      'Die Haftung des Auftragnehmers ist auf 55.000 EUR je Schadensfall begrenzt.',
      'Für leichte Fahrlässigkeit haftet der Auftragnehmer.',
      'Die Haftung ist nicht auf 50.000 EUR begrenzt.',
      'Je Schadensfall ist die Haftung auf 50.000 CHF begrenzt.',
    ],
  ),
  of(
    'de',
    'Die Lieferung erfolgt innerhalb von 14 Tagen nach Bestelleingang frei Haus. Teillieferungen sind zulässig.',
    [
      'Die Lieferung erfolgt innerhalb von 14 Tagen nach Bestelleingang.',
      'Teillieferungen sind zulässig.',
      'Geliefert wird frei Haus innerhalb von 14 Tagen.',
    ],
    [
      'Die Lieferung erfolgt innerhalb von 15 Tagen nach Bestelleingang.',
      'Teillieferungen sind nicht zulässig.',
      'Die Lieferung erfolgt innerhalb von 14 Wochen nach Bestelleingang.',
    ],
  ),
  of(
    'fr',
    'Le contrat est renouvelé tacitement pour une durée de 12 mois, sauf résiliation par lettre recommandée au moins trois mois avant l’échéance.',
    [
      'Le contrat est renouvelé tacitement pour 12 mois.',
      'La résiliation se fait par lettre recommandée au moins trois mois avant l’échéance.',
      'Le renouvellement tacite du contrat dure 12 mois.',
    ],
    [
      'Le contrat n’est pas renouvelé tacitement pour 12 mois.',
      'La résiliation se fait par lettre recommandée au moins six mois avant l’échéance.',
      'Le contrat est renouvelé tacitement pour 18 mois.',
    ],
  ),
  of(
    'fr',
    'Le dépôt de garantie n’est pas remboursable. La sous-location est interdite sans accord écrit du bailleur.',
    [
      'Le dépôt de garantie n’est pas remboursable.',
      'La sous-location est interdite sans accord écrit du bailleur.',
      'Sans accord écrit du bailleur, la sous-location est interdite.',
    ],
    [
      'Le dépôt de garantie est remboursable.',
      'La sous-location n’est pas interdite sans accord écrit du bailleur.',
      'La sous-location est interdite avec accord écrit du bailleur.',
    ],
  ),
  of(
    'fr',
    'La responsabilité du prestataire est limitée à 80 000 EUR par an. Les dommages indirects ne sont jamais indemnisés.',
    [
      'La responsabilité du prestataire est limitée à 80 000 EUR par an.',
      'Les dommages indirects ne sont jamais indemnisés.',
      'Le prestataire a une responsabilité limitée à 80 000 € par an.',
    ],
    [
      'La responsabilité du prestataire est limitée à 90 000 EUR par an.',
      'Les dommages indirects sont indemnisés.',
      'La responsabilité du prestataire n’est pas limitée à 80 000 EUR par an.',
    ],
  ),
  of(
    'es',
    'El contrato se renovará automáticamente por períodos de 12 meses, salvo que una de las partes lo denuncie por escrito con 60 días de antelación.',
    [
      'El contrato se renovará automáticamente por períodos de 12 meses.',
      'La denuncia debe hacerse por escrito con 60 días de antelación.',
      'El contrato se renueva automáticamente por períodos de 12 meses.',
    ],
    [
      'El contrato no se renovará automáticamente.',
      'La denuncia debe hacerse por escrito con 90 días de antelación.',
      'El contrato se renovará automáticamente por períodos de 13 meses.',
    ],
  ),
  of(
    'es',
    'La fianza no será devuelta en caso de impago. El arrendatario no podrá subarrendar la vivienda sin consentimiento del arrendador.',
    [
      'La fianza no será devuelta en caso de impago.',
      'El arrendatario no podrá subarrendar la vivienda sin consentimiento del arrendador.',
      'En caso de impago, la fianza no se devuelve.',
    ],
    [
      'La fianza será devuelta en caso de impago.',
      'El arrendatario podrá subarrendar la vivienda sin consentimiento del arrendador.',
      'El arrendatario no podrá subarrendar la vivienda con consentimiento del arrendador.',
    ],
  ),
  of(
    'es',
    'La responsabilidad del proveedor se limita a 30.000 EUR por año. La entrega se realizará en un plazo de 15 días laborables.',
    [
      'La responsabilidad del proveedor se limita a 30.000 EUR por año.',
      'La entrega se realizará en un plazo de 15 días laborables.',
      'El proveedor limita su responsabilidad a 30.000 € por año.',
    ],
    [
      'La responsabilidad del proveedor se limita a 35.000 EUR por año.',
      'La entrega se realizará en un plazo de 16 días laborables.',
      'La responsabilidad del proveedor no se limita a 30.000 EUR por año.',
    ],
  ),
];
