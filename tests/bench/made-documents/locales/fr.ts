import type { Locale } from '../locale.ts';

export const french: Locale = {
  code: 'fr',
  decimal: ',',
  group: ' ',
  currency: { code: 'EUR', sign: '€', isBefore: false },
  dates: [
    ['DD/MM/YYYY', 'D MMM YYYY'],
    ['DD-MM-YYYY', 'D/M/YYYY', 'DD MMM YYYY'],
  ],
  months: [
    'janvier',
    'février',
    'mars',
    'avril',
    'mai',
    'juin',
    'juillet',
    'août',
    'septembre',
    'octobre',
    'novembre',
    'décembre',
  ],
  taxRates: [20, 10, 5.5],
  companies: [
    ['Imprimerie du Canal SARL', 'Boulangerie Perrault', 'Ateliers Moreau SAS', 'Fournitures Lemaire'],
    ['Menuiserie Garnier', 'Transports Delmas SA', 'Jardins de Provence SARL', 'Librairie des Quais'],
  ],
  people: [
    ['Camille Fournier', 'Julien Mercier', 'Nathalie Blanchard', 'Étienne Roche'],
    ['Sophie Marchand', 'Antoine Giraud', 'Hélène Caron', 'Luc Bonnet'],
  ],
  streets: [
    '12 rue des Tanneurs',
    '48, avenue Jean Jaurès',
    '3 place du Marché',
    '7 bis chemin Vert',
    '150 boulevard Voltaire',
  ],
  places: [
    ['69002', 'Lyon'],
    ['31000', 'Toulouse'],
    ['44000', 'Nantes'],
    ['67000', 'Strasbourg'],
  ],
  place: (code, city) => `${code} ${city}`,
  goods: [
    [
      'Papier à lettres',
      'Lampe de bureau',
      'Impression affiches',
      'Peinture blanche 10 L',
      'Pain de campagne',
      'Main d’œuvre',
    ],
    ['Étagère en chêne', 'Entretien chaudière', 'Livraison palette', 'Café crème', 'Roman poche', 'Terreau 40 L'],
  ],
  sentences: [
    'Merci de rappeler la référence lors de votre règlement.',
    'Pas d’escompte pour paiement anticipé.',
    'Pénalités de retard : trois fois le taux légal.',
  ],
  labels: {
    invoice: [
      ['Facture', 'FACTURE'],
      ['Votre facture', 'Facture de vente'],
    ],
    number: [
      ['Facture n°', 'N° de facture'],
      ['Numéro', 'Réf. facture', 'Pièce n°'],
    ],
    date: [
      ['Date', 'Date de facture'],
      ["Date d'émission", 'Émise le', 'Le'],
    ],
    due: [
      ['Échéance', "Date d'échéance"],
      ['À payer avant le', 'Payable au', 'Date limite de règlement'],
    ],
    customer: [
      ['N° client', 'Code client'],
      ['Réf. client', 'Compte client'],
    ],
    order: [
      ['N° de commande', 'Commande'],
      ['Votre commande', 'Bon de commande n°'],
    ],
    buyer: [
      ['Client', 'Facturé à'],
      ['Adressé à', 'Destinataire'],
    ],
    delivery: [['Livré à'], ['Adresse de livraison', 'Lieu de livraison']],
    description: [
      ['Désignation', 'Description'],
      ['Libellé', 'Article', 'Prestation'],
    ],
    quantity: [
      ['Qté', 'Quantité'],
      ['Nombre', 'Qt.', 'Nb'],
    ],
    price: [
      ['Prix unitaire', 'P.U. HT'],
      ['Tarif', 'PU', 'Prix unit.'],
    ],
    amount: [
      ['Montant', 'Total HT'],
      ['Montant HT', 'Prix total', 'Total ligne'],
    ],
    code: [
      ['Réf.', 'Référence'],
      ['Code', 'Art.'],
    ],
    subtotal: [
      ['Total HT', 'Sous-total'],
      ['Montant HT', 'Total hors taxes', 'Net HT'],
    ],
    tax: [
      ['TVA', 'Montant TVA'],
      ['Total TVA', 'T.V.A.', 'Taxe'],
    ],
    total: [
      ['Total TTC', 'Net à payer'],
      ['Montant TTC', 'À payer', 'Total à régler'],
    ],
    phone: [
      ['Tél.', 'Téléphone'],
      ['Tél', 'Contact'],
    ],
    vat_id: [['N° TVA'], ['TVA intracommunautaire']],
    thanks: [['Merci de votre visite'], ['À bientôt']],
    receipt: [
      ['Ticket de caisse', 'Reçu'],
      ['TICKET', 'Justificatif'],
    ],
    receipt_number: [
      ['Ticket n°', 'N° ticket'],
      ['Ticket', 'Reçu n°'],
    ],
    cashier: [
      ['Caissier', 'Vendeur'],
      ['Servi par', 'Caisse'],
    ],
    cash: [
      ['Espèces', 'Reçu espèces'],
      ['Donné', 'Esp.'],
    ],
    change: [
      ['Rendu', 'Monnaie'],
      ['Rendu monnaie', 'À rendre'],
    ],
    card: [
      ['Carte bancaire', 'CB'],
      ['Carte bleue', 'VISA'],
    ],
  },
  formTitles: [
    ['Demande d’emploi', 'Fiche patient'],
    ["Demande d'assurance", "Bulletin d'adhésion"],
  ],
  captions: {
    first_name: [['Prénom'], ['Prénom(s)', 'Prénom usuel']],
    last_name: [['Nom'], ['Nom de famille', 'Nom patronymique']],
    date_of_birth: [['Date de naissance'], ['Né(e) le', 'Naissance']],
    address: [['Adresse'], ['Rue et numéro', 'Domicile']],
    city: [['Ville'], ['Commune', 'Localité']],
    postal_code: [['Code postal'], ['C.P.', 'CP']],
    phone: [['Téléphone'], ['N° de téléphone', 'Tél. portable']],
    email: [['Courriel'], ['Adresse e-mail', 'E-mail']],
    nationality: [['Nationalité'], ['Pays de nationalité']],
    marital_status: [['Situation familiale'], ['État civil', 'Situation de famille']],
    occupation: [['Profession'], ['Métier', 'Emploi actuel']],
    employer: [['Employeur'], ["Nom de l'employeur", 'Entreprise']],
    annual_income: [['Revenu annuel'], ['Revenus par an', 'Salaire annuel']],
    start_date: [['Date de début'], ["Date d'effet", 'Disponible à partir du']],
    policy_number: [['Numéro de police'], ['N° de contrat', 'Police n°']],
    insured_amount: [['Montant assuré'], ['Capital garanti', 'Somme assurée']],
    vehicle_model: [['Modèle du véhicule'], ['Marque et modèle']],
    license_plate: [['Immatriculation'], ["Plaque d'immatriculation"]],
    smoker: [['Fumeur'], ['Fumez-vous ?']],
    emergency_contact: [["Contact d'urgence"], ["Personne à prévenir en cas d'urgence"]],
  },
  yesNo: ['Oui', 'Non'],
  nationalities: ['française', 'belge', 'suisse'],
  maritalStates: ['célibataire', 'mariée', 'divorcé'],
  occupations: ['Infirmière', 'Comptable', 'Plombier', 'Enseignante'],
};
