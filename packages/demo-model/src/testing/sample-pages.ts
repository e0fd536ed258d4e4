/** Invented documents as page text, with columns separated by two or more spaces. */

export const englishInvoice = `                                                                      INVOICE
Hartley & Moss Ltd
14 Quay Street                                       Invoice No.      HM-20931
Bristol BS1 4QA                                      Invoice Date     3 February 2025
United Kingdom                                       Payment Due      5 March 2025
VAT Reg No: GB 412 7719 08                           Customer Ref     ACC-118

Invoice To:
Northgate Surveying LLP
Unit 7, Carver Works
Leeds LS11 5PF

Description                                    Qty      Unit Price     VAT %      Net Amount
Site visit and report                            2          £450.00       20          £900.00
Drone photography, half day                      1          £280.00       20          £280.00
Travel at cost                                   1           £64.50        0           £64.50

                                                          Net Total               £1,244.50
                                                          VAT                       £236.00
                                                          Total Due               £1,480.50`;

export const germanInvoice = `Malerbetrieb Kessler e.K. · Lindenweg 9 · 04109 Leipzig

Hausverwaltung Sonnenberg GmbH
Frau Petra Lang
Goethestraße 101
04317 Leipzig
                                                        Rechnungs-Nr.:   2025/0311
                                                        Rechnungsdatum:  28.03.2025
                                                        Kunden-Nr.:      10442
Rechnung

Pos  Bezeichnung                           Menge  Einheit   Einzelpreis     Gesamtpreis
1    Treppenhaus streichen                120,00  m²            9,80 €      1.176,00 €
2    Fenster lackieren                         8  Stk          65,00 €        520,00 €

                                        Nettobetrag                         1.696,00 €
                                        zzgl. 19 % MwSt.                      322,24 €
                                        Gesamtbetrag                        2.018,24 €

Bitte überweisen Sie den Betrag bis zum 11.04.2025 auf das Konto
IBAN DE02 1203 0000 0000 2020 51, BIC BYLADEM1001.
USt-IdNr. DE298765431`;

export const frenchInvoice = `ATELIER DUVAL SARL
12 rue des Tanneurs
69003 Lyon
                                                         FACTURE N° 2024-118

                                                         Date de facturation : 12/09/2024
                                                         Date d'échéance : 12/10/2024
Client :
Mairie de Villeneuve
Place de la République
42300 Villeneuve

Désignation                                   Quantité      Prix unitaire HT      Montant HT
Rénovation de portes en chêne                        3              420,00 €       1 260,00 €
Fournitures                                          1               85,50 €          85,50 €

                                                        Total HT                   1 345,50 €
                                                        TVA 20 %                     269,10 €
                                                        Total TTC                  1 614,60 €`;

export const receipt = `          BLUE HERON COFFEE
          410 Pine St
          Seattle, WA 98101

05/18/2024 8:14 AM        Server: Kim

2 Latte                       $9.00
1 Blueberry Muffin            $3.75

Subtotal                     $12.75
Sales Tax                     $1.29
Tip                           $2.00
Total                        $16.04

VISA ****4411                $16.04
Thank you!`;

export const membershipForm = `APPLICATION FOR MEMBERSHIP

First name: Tobias            Last name: Brandt
Date of birth: 12.08.1991     Phone: +49 30 5550123
Newsletter: [x] yes  [ ] no
Membership type: Family`;

export const laboratoryReport = `                         Riverside Medical Laboratory
Patient Name: Elena Novak             Collected: 2024-06-03
Sample ID: S-88213                    Physician: Dr. Amir Hassan

Test                  Result     Units       Reference Range     Flag
Hemoglobin            13.2       g/dL        12.0 - 15.5
Glucose               108        mg/dL       70 - 99             H
Sodium                139        mmol/L      135 - 145`;

export const contract = `                     CONSULTING AGREEMENT

This Consulting Agreement (the "Agreement") is entered into as of March 1, 2024 (the "Effective Date")
by and between Falcon Ridge Holdings, Inc., a Delaware corporation ("Client"), and
Mira Solberg ("Consultant").

3. Governing Law. This Agreement shall be governed by the laws of the State of Colorado.`;
