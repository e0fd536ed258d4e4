import type { ValueKind } from '../concept.ts';
import { labelPattern } from '../label.ts';

export interface ColumnConcept {
  name: string;
  kind: ValueKind;
  /** Property names that mean this column, as folded words. */
  field: RegExp;
  /** Headers of this column. Languages: en, de, fr, it, es, nl. */
  headers: RegExp;
  /** Headers that mean this column where another column has no need of them. */
  weakHeaders?: RegExp;
}

/** The columns that tables of goods and services have. */
export const itemColumns: readonly ColumnConcept[] = [
  {
    name: 'description',
    kind: 'text',
    field:
      /^(?:item |product |service )?(?:description|name|item|product|service|article|details?|bezeichnung|beschreibung|artikel|designation|omschrijving|descrizione|descripcion)$/u,
    headers: labelPattern([
      '(?:item |product )?description(?: of goods| of services)?',
      'item(?:s| name| description)?',
      'products?',
      'services?',
      'details',
      'particulars',
      'beschreibung',
      'bezeichnung',
      'artikel ?(?:beschreibung|bezeichnung)?',
      'leistung(?:en)?',
      'position',
      'designation',
      'libelle',
      'produit',
      'omschrijving',
      'descrizione',
      'prodotto',
      'descripcion',
      'concepto',
      'producto',
    ]),
  },
  {
    name: 'quantity',
    kind: 'amount',
    field: /^(?:quantity|qty|units|count|hours|menge|anzahl|quantite|aantal|quantita|cantidad)$/u,
    headers: labelPattern([
      'quantity',
      'qty(?: hr| hrs)?',
      'qte',
      'units',
      'hours',
      'hrs',
      'menge',
      'anzahl',
      'quantite',
      'aantal',
      'quantita',
      'q ta',
      'cantidad',
      'cant',
    ]),
    weakHeaders: labelPattern(['amount', 'number', 'no', 'nombre', 'numero']),
  },
  {
    name: 'unit_price',
    kind: 'amount',
    field:
      /^(?:unit |price per |net |single |item )?(?:price|cost|rate|unit|einzelpreis|preis)(?: per (?:unit|item|hour))?$|^rate$|^prix unitaire$/u,
    headers: labelPattern([
      'unit (?:price|cost)',
      'price(?: per (?:unit|item))?',
      'price each',
      'cost',
      'each',
      'rate',
      'einzel(?:preis)?',
      'netto ?preis',
      'stuckpreis',
      'preis(?: einheit| pro einheit)?',
      'vk preis(?: ohne)?',
      'e preis',
      'prix(?: unitaire| unit)?',
      'p u',
      'prijs(?: per stuk)?',
      'stukprijs',
      'prezzo(?: unitario)?',
      'precio(?: unitario)?',
    ]),
  },
  {
    name: 'tax_rate',
    kind: 'percent',
    field: /^(?:tax|vat|gst|mwst|ust|btw|tva|iva) ?(?:rate|percent|percentage|%)$/u,
    headers: labelPattern(['(?:vat|tax|gst|ust|mwst|btw|iva|tva|steuer)(?: rate| %)?']),
  },
  {
    name: 'tax_amount',
    kind: 'amount',
    field: /^(?:tax|vat|gst)(?: amount)?$/u,
    headers: labelPattern(['tax(?: amount)?', 'vat(?: amount)?']),
  },
  {
    name: 'discount',
    kind: 'percent',
    field: /^(?:discount|rabatt|remise|korting|sconto)(?: percent| rate)?$/u,
    headers: labelPattern(['discount', 'rabatt', 'rem', 'remise', 'korting', 'sconto', 'dto']),
  },
  {
    name: 'amount',
    kind: 'amount',
    field:
      /^(?:line |item |total |net |extended )?(?:amount|total|price|sum|subtotal)(?: amount| price)?$|^(?:gesamt|betrag|gesamtpreis|montant|bedrag|importo|importe)$/u,
    headers: labelPattern([
      '(?:line |net )?(?:amount|total)',
      'total (?:price|amount)',
      'extended(?: price)?',
      'sum',
      'betrag',
      'zeilenbetrag',
      'gesamt(?:preis|betrag)?',
      'entgelt',
      'positions ?betrag',
      'summe',
      'montant',
      'prix h t',
      'total h t',
      'bedrag',
      'totaal',
      'prijs incl btw',
      'importo',
      'totale',
      'importe',
    ]),
  },
  {
    name: 'item_code',
    kind: 'identifier',
    field: /^(?:item|product|article|sku|part|material) ?(?:code|number|no|nr|id)?$|^sku$|^artikelnummer$/u,
    headers: labelPattern([
      '(?:item|product|part|article) (?:code|no|number|#)',
      'sku',
      'code',
      'art ?nr',
      'artikel ?(?:nr|nummer)',
      'codigo',
      'codice',
      'unsere art nr',
      'ref(?:erence)?',
    ]),
  },
  {
    name: 'date',
    kind: 'date',
    field: /^(?:service |item )?date$/u,
    headers: labelPattern(['date', 'datum', 'data', 'fecha']),
  },
  {
    name: 'unit',
    kind: 'text',
    field: /^(?:unit|uom|unit of measure|einheit)$/u,
    headers: labelPattern(['u m', 'uom', 'unit', 'einheit', 'meng einheit', 'unite']),
  },
  {
    name: 'position',
    kind: 'amount',
    field: /^(?:position|pos|line|line number|line no|number|no)$/u,
    headers: labelPattern(['pos', 'position', 'line', '#', 'no', 'nr', 'item no']),
  },
];
