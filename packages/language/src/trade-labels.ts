import { list, type KindLabels } from './labels.ts';

/** Documents of buying and selling, of banks and of pay. */
export const tradeLabels = {
  invoice: {
    names: list(String.raw`
      (?:[\p{L}]+ )?invoices?; \p{L}*(?<!(?:lohn|gehalts|entgelt|spesen|reisekosten)ab)rechnung(?:en)?; factures?;
      factuur; fatt?ura; factura; faktura; (?:utility |electricity |water |gas |phone |telephone |medical |hotel )?bill; 請求書; 发票; 發票`),
    words: list(String.raw`
      invoice (?:no|nr|number|date|#); invoice; bill(?:ed)? to; bill date; total to pay; due date; payment terms; payment
      due; amount due; rechnungs ?(?:nummer|nr|datum|steller|betrag|empfanger); rechnung; ust id nr; mwst; umsatzsteuer;
      zahlungsbedingungen; zahlbar; facture; tva; total ttc; date d'echeance; iva; imponibile; scadenza; base imponible;
      vencimiento; btw; factuurdatum; factuurnummer; vervaldatum; iban; vat`),
  },
  credit_note: {
    names: list(String.raw`
      credit (?:note|memo|invoice); rechnungskorrektur; gutschrift(?:sanzeige)?; stornorechnung; (?:facture d')?avoir;
      note de credit; nota di credito; nota de credito; factura rectificativa; credit ?nota`),
    words: list(String.raw`credited; credit note (?:no|nr|number|date); original invoice; gutschrift; refund`),
  },
  receipt: {
    names: list(String.raw`
      (?:sales |cash |official )?receipt; cash (?:bill|sale|memo); quittung; kassenbon; kassenbeleg; ticket de caisse;
      recu; scontrino(?: fiscale)?; ricevuta; documento commerciale; recibo; factura simplificada; kassabon; kwitantie;
      bon; paragon; 領収書; 収据; 收据`),
    strong: list(String.raw`
      cashier\p{L}?; change(?: due)?[\s:]{0,30}(?:rm|[$€£])?\s{0,3}\d; kassierer; caissier; cassiere; cajero;
      kassier(?:er)?in; change due; amount tendered; tendered?; rounding(?: adj\p{L}*)?; thank you for (?:your
      visit|shopping|dining|coming); dine in; take ?away; sales associate; served by; your server; vielen dank fur ihren
      (?:einkauf|besuch); merci de votre visite; grazie e arrivederci; gracias por su (?:visita|compra); gegeben;
      ruckgeld; wisselgeld; rendu; resto; please come again; goods sold are not (?:refundable|returnable); contant[ei];
      gst summary`),
    words: list(String.raw`
      receipt; cash; change; especes; efectivo; cambio; server; thank you; gst; pax; tip; sub ?total; visa; mastercard;
      sales tax; total; qty`),
  },
  quote: {
    names: list(String.raw`
      (?:sales |price )?(?:quotation|quote); estimate; proforma(?: invoice)?; (?:kosten)?angebot; kostenvoranschlag;
      devis; preventivo; presupuesto; cotizacion; offerte; orcamento; 見積書`),
    words: list(String.raw`
      valid until; quote (?:no|nr|number|date); quotation (?:no|nr|number|date); angebotsnummer; gultig bis; valable
      jusqu; validita; geldig tot; we are pleased to (?:offer|quote)`),
  },
  purchase_order: {
    names: list(String.raw`
      purchase order; bestellung; bon de commande; ordine (?:d'acquisto|di acquisto); orden de compra; pedido;
      inkooporder; bestelling`),
    words: list(String.raw`
      ship to; vendor; requested by; po (?:no|nr|number|date); delivery date; lieferanschrift; besteller; deliver to;
      authorized by`),
  },
  order_confirmation: {
    names: list(String.raw`
      order (?:confirmation|acknowledg[e]?ment); auftragsbestatigung; confirmation de commande; conferma d'ordine;
      confirmacion de pedido; orderbevestiging`),
    words: list(String.raw`order (?:no|nr|number|date); auftragsnummer; delivery date; liefertermin; your order`),
  },
  delivery_note: {
    names: list(String.raw`
      delivery (?:note|docket|receipt); packing (?:slip|list); dispatch note; despatch note; lieferschein; bon de
      livraison; bordereau de livraison; documento di trasporto; bolla di consegna; albaran(?: de entrega)?; nota de
      entrega; pakbon; leverbon; 納品書`),
    words: list(String.raw`
      delivered; received by; ship(?:ped)? to; carrier; packages; gross weight; net weight; lieferdatum; lieferadresse;
      empfangen; quantity shipped; tracking number`),
  },
  payment_reminder: {
    names: list(String.raw`
      (?:payment |final )?reminder; dunning (?:letter|notice); overdue notice; (?:letzte )?mahnung; zahlungserinnerung;
      rappel de paiement; mise en demeure; sollecito di pagamento; recordatorio de pago; betalingsherinnering; aanmaning`),
    words: list(String.raw`
      overdue; outstanding; uberfallig; mahngebuhr; reminder fee; offene(?:r|n)? (?:betrag|rechnung\p{L}*); have not
      received`),
  },
  bank_statement: {
    names: list(String.raw`
      (?:monthly |bank |checking |savings |current )?(?:bank |account )statement; (?:credit card|card|bank) statement;
      kontoauszug; releve (?:de compte|bancaire); extrait de compte; estratto conto; extracto (?:bancario|de cuenta);
      rekening ?(?:afschrift|overzicht); extrato(?: bancario)?; wyciag bankowy`),
    strong: list(String.raw`
      opening balance; closing balance; beginning balance; ending balance; balance (?:brought|carried) forward; statement
      period; withdrawals?; deposits?; sort code; alter (?:konto)?(?:stand|saldo); neuer (?:konto)?(?:stand|saldo);
      anfangssaldo; endsaldo; ancien solde; nouveau solde; saldo (?:iniziale|finale|inicial|final|anterior); beginsaldo;
      eindsaldo`),
    words: list(String.raw`
      transactions?; account (?:no|nr|number|holder); debits?; credits?; balance; saldo; solde; buchung(?:stag|sdatum)?;
      wertstellung; valuta; iban; bic; bank; paid (?:in|out)`),
  },
  account_statement: {
    names: list(String.raw`
      statement(?: of (?:your )?account)?; customer statement; supplier statement; kundenkontoauszug; saldenliste; offene
      posten(?:liste)?`),
    words: list(String.raw`
      over 30 days; (?:30|60|90) days; current; aging; balance due; amount due; invoice; payment; remittance`),
  },
  payslip: {
    names: list(String.raw`
      pay ?(?:slip|stub); earnings statement; (?:lohn|gehalts|entgelt)abrechnung; (?:brutto netto )?abrechnung der bezuge;
      bulletin de (?:paie|salaire); fiche de paie; busta paga; cedolino; nomina; recibo de salarios; loonstrook;
      salarisspecificatie`),
    strong: list(String.raw`
      gross pay; net pay; pay period; year to date; ytd; bruttolohn; nettolohn; auszahlungsbetrag; sozialversicherung;
      salaire (?:brut|net); net a payer avant impot; retribuzione; devengos; brutoloon; nettoloon`),
    words: list(String.raw`
      employee; employer; deductions; earnings; hours; rate; tax code; steuerklasse; national insurance; medicare`),
  },
  expense_report: {
    names: list(String.raw`
      expense (?:report|claim|statement); travel expenses?; reisekosten\p{L}*; spesenabrechnung; note de frais; nota
      spese; nota de gastos; declaratieformulier`),
    words: list(String.raw`expense; reimburse\p{L}*; mileage; purpose; merchant; report (?:no|nr|number); per diem`),
  },
} satisfies Record<string, KindLabels>;
