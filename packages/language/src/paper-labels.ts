import { list, type KindLabels } from './labels.ts';

/** Agreements, correspondence, forms and reports. */
export const paperLabels = {
  contract: {
    names: list(String.raw`
      (?:[\p{L}-]+ ){0,4}(?:agreement|contract); (?:agreement|contract) (?:of|for) (?:[\p{L}-]+ ?){1,4}; (?:residential
      |commercial )?lease; \p{L}*vertrag; \p{L}*vereinbarung; contrat(?: de \p{L}+)?; contratto(?: di \p{L}+)?;
      contrato(?: de \p{L}+)?; overeenkomst; 契約書`),
    strong: list(String.raw`
      hereinafter; by and between; in witness whereof; witnesseth; whereas; governing law; governed by; nachfolgend;
      salvatorische klausel; gerichtsstand; ci apres; le soussigne; di seguito; en adelante; hierna`),
    words: list(String.raw`
      hereby; hereto; party; parties; shall; effective date; term; termination; confidential\p{L}*; liability;
      vertragspartner; laufzeit; kundigung; article \d+; agreement; the
      (?:tenant|landlord|client|contractor|licensee|employer|employee)`),
  },
  letter: {
    names: list(String.raw`
      letter; letter of \p{L}+; (?:cover|covering|reference|recommendation) letter; brief; lettre; lettera; carta`),
    strong: list(String.raw`
      dear; sehr geehrte\p{L}*; madame,? monsieur; chere? (?:madame|monsieur|client)\p{L}*; gentile; egregio; spettabile;
      estimad[oa]s?; geachte; to whom it may concern; yours (?:sincerely|faithfully|truly); (?:yours )?sincerely;
      (?:kind|best|warm) regards; mit freundlichen grussen; mit freundlichem gruss; hochachtungsvoll; cordialement; je
      vous prie d'agreer; salutations distinguees; cordiali saluti; distinti saluti; atentamente; un cordial saludo; met
      vriendelijke groet(?:en)?; hoogachtend`),
    words: list(String.raw`
      regarding; re; betreff; objet; oggetto; asunto; betreft; enclosed; anlage; i am writing; look forward; thank you for
      your letter; ihr schreiben; ihre nachricht`),
  },
  // Its lines of a header are counted apart.
  email: {
    names: list(String.raw`e ?mail`),
    words: list(String.raw`sent from my; forwarded message; original message; wrote`),
  },
  lab_report: {
    names: list(String.raw`
      (?:medical |clinical )?laborator(?:y|ies)(?: \p{L}+)?; lab(?:oratory)? (?:report|results?); test report;
      laborbefund; befundbericht; pathology(?: report)?; blood test(?: results?)?; resultats? d'analyses?; compte rendu
      d.analyses?; referto; analitica; laboruitslag`),
    strong: list(String.raw`
      reference (?:range|interval|values?); specimen; referenzbereich; valeurs de reference; valori di riferimento;
      valores de referencia; referentiewaarden`),
    words: list(String.raw`
      patient; sample; collected; physician; results?; units; flag; probe; mmol; mg dl; haemoglobin; hemoglobin`),
  },
  resume: {
    names: list(String.raw`curriculum vitae; resume; lebenslauf; cv`),
    strong: list(String.raw`
      work experience; professional experience; employment history; berufserfahrung; experience professionnelle;
      esperienza (?:professionale|lavorativa); experiencia (?:profesional|laboral); werkervaring`),
    words: list(String.raw`
      education; skills; languages; references; university; ausbildung; kenntnisse; formation; competences; istruzione;
      hobbies; interests`),
  },
  minutes: {
    names: list(String.raw`
      (?:meeting )?minutes(?: of (?:the )?\p{L}+(?: \p{L}+)?)?; (?:sitzungs|ergebnis|besprechungs)protokoll; protokoll;
      compte rendu(?: de reunion)?; proces verbal; verbale(?: di riunione)?; acta(?: de (?:la )?reunion)?; notulen`),
    words: list(String.raw`
      attendees; present; absent; apologies; agenda; motion; seconded; adjourned; action items?; resolved; teilnehmer;
      tagesordnung; beschluss; ordre du jour; ordine del giorno; orden del dia; aanwezig`),
  },
  form: {
    names: list(String.raw`
      (?:[\p{L}-]+ ){0,4}(?:form|application|registration|questionnaire|enrol?lment|claim form|survey);
      (?:application|registration|request|claim) (?:for|of|to) (?:[\p{L}-]+ ?){1,5};
      \p{L}*(?:formular|antrag|anmeldung|fragebogen)(?: auf (?:\p{L}+ ?){1,4})?; formulaire(?: de \p{L}+)?; demande
      (?:de|d') ?(?:\p{L}+ ?){1,4}; bulletin d.inscription; modulo(?: di \p{L}+)?; domanda di (?:\p{L}+ ?){1,3};
      questionario; formulario(?: de \p{L}+)?; solicitud de (?:\p{L}+ ?){1,3}; \p{L}*formulier; vragenlijst`),
    words: list(String.raw`
      applicant; please print; first name; last name; full name; surname; given names?; employee; employer; signature;
      member id; date of birth; place of birth; social security number; phone number; postal code; zip code; marital
      status; nationality; vorname; nachname; geburtsdatum; unterschrift; prenom; date de naissance; nom de famille;
      cognome; data di nascita; apellidos?; fecha de nacimiento; voornaam; achternaam; geboortedatum; omb no; tick; check
      (?:one|the box)`),
  },
  certificate: {
    names: list(String.raw`
      (?:[\p{L}-]+ ){0,3}certificate; certificate of (?:[\p{L}-]+ ?){1,4}; urkunde; zertifikat; bescheinigung;
      certificat(?: de \p{L}+)?; attestation; certificato(?: di \p{L}+)?; certificado(?: de \p{L}+)?; attest`),
    words: list(String.raw`
      certif(?:y|ies|ied); hereby certif(?:y|ies); awarded; has successfully; issued (?:on|by); bescheinigt; atteste; si
      certifica; certifica que`),
  },
  report: {
    names: list(String.raw`
      (?:[\p{L}-]+ ){0,4}report; report (?:on|of) (?:[\p{L}-]+ ?){1,5}; \p{L}*bericht; rapport(?: (?:de|sur) (?:\p{L}+
      ?){1,4})?; rapporto; relazione; informe(?: de (?:\p{L}+ ?){1,3})?; verslag`),
    words: list(String.raw`
      summary; findings; conclusions?; recommendations?; table of contents; zusammenfassung; abstract`),
  },
} satisfies Record<string, KindLabels>;
