import type { Locale } from '../locale.ts';

export const spanish: Locale = {
  code: 'es',
  decimal: ',',
  group: '.',
  currency: { code: 'EUR', sign: '€', isBefore: false },
  dates: [
    ['DD/MM/YYYY', 'D de MMM de YYYY'],
    ['DD-MM-YYYY', 'D/M/YYYY', 'DD MMM YYYY'],
  ],
  months: [
    'enero',
    'febrero',
    'marzo',
    'abril',
    'mayo',
    'junio',
    'julio',
    'agosto',
    'septiembre',
    'octubre',
    'noviembre',
    'diciembre',
  ],
  taxRates: [21, 10, 4],
  companies: [
    ['Papelería Alameda S.L.', 'Imprenta del Sur', 'Ferretería Navarro', 'Construcciones Vega S.A.'],
    ['Carpintería Robledo', 'Transportes Levante S.L.', 'Viveros El Olivar', 'Librería Central'],
  ],
  people: [
    ['Lucía Herrera', 'Javier Molina', 'Carmen Prieto', 'Andrés Castillo'],
    ['Marta Gallego', 'Raúl Serrano', 'Pilar Domínguez', 'Óscar Fuentes'],
  ],
  streets: ['Calle Mayor 18', 'Avda. de la Paz, 77', 'Plaza Nueva 2', 'C/ Jardines 45', 'Paseo Marítimo 130'],
  places: [
    ['28013', 'Madrid'],
    ['41001', 'Sevilla'],
    ['46002', 'Valencia'],
    ['50003', 'Zaragoza'],
  ],
  place: (code, city) => `${code} ${city}`,
  goods: [
    [
      'Papel de carta',
      'Lámpara de mesa',
      'Impresión carteles',
      'Pintura blanca 10 l',
      'Mano de obra',
      'Cable eléctrico 5 m',
    ],
    [
      'Estante de roble',
      'Mantenimiento caldera',
      'Entrega palé',
      'Café con leche',
      'Sustrato 40 l',
      'Novela de bolsillo',
    ],
  ],
  sentences: [
    'Rogamos indiquen la referencia en el pago.',
    'La mercancía es de nuestra propiedad hasta su pago total.',
    'Operación sujeta a las condiciones generales de venta.',
  ],
  labels: {
    invoice: [
      ['Factura', 'FACTURA'],
      ['Factura de venta', 'Factura simplificada'],
    ],
    number: [
      ['Factura n.º', 'Número de factura'],
      ['N.º documento', 'Fra. núm.', 'Nº'],
    ],
    date: [
      ['Fecha', 'Fecha de factura'],
      ['Fecha de emisión', 'Emitida el', 'Fecha expedición'],
    ],
    due: [
      ['Vencimiento', 'Fecha de vencimiento'],
      ['Pagar antes de', 'Vence el', 'Fecha límite de pago'],
    ],
    customer: [
      ['N.º de cliente', 'Código cliente'],
      ['Cód. cliente', 'Cuenta cliente'],
    ],
    order: [
      ['Pedido n.º', 'Número de pedido'],
      ['Su pedido', 'Ref. pedido'],
    ],
    buyer: [
      ['Cliente', 'Facturar a'],
      ['Facturado a', 'Destinatario'],
    ],
    delivery: [['Enviar a'], ['Dirección de entrega', 'Lugar de entrega']],
    description: [
      ['Descripción', 'Artículo'],
      ['Concepto', 'Producto', 'Detalle'],
    ],
    quantity: [
      ['Cantidad', 'Cant.'],
      ['Uds.', 'Unidades', 'Ctd.'],
    ],
    price: [
      ['Precio unitario', 'Precio'],
      ['P. unit.', 'Precio ud.', 'Tarifa'],
    ],
    amount: [
      ['Importe', 'Total'],
      ['Subtotal', 'Importe neto', 'Valor'],
    ],
    code: [
      ['Ref.', 'Código'],
      ['Cód.', 'Art.'],
    ],
    subtotal: [
      ['Base imponible', 'Subtotal'],
      ['Total neto', 'Importe neto', 'Suma'],
    ],
    tax: [
      ['IVA', 'Cuota IVA'],
      ['I.V.A.', 'Importe IVA', 'Impuestos'],
    ],
    total: [
      ['Total factura', 'Total'],
      ['Total a pagar', 'Importe total', 'Total con IVA'],
    ],
    phone: [
      ['Tel.', 'Teléfono'],
      ['Tfno.', 'Tlf.'],
    ],
    vat_id: [['NIF'], ['CIF']],
    thanks: [['Gracias por su compra'], ['Gracias por su visita']],
    receipt: [
      ['Ticket', 'RECIBO'],
      ['Ticket de compra', 'Factura simplificada'],
    ],
    receipt_number: [
      ['Ticket n.º', 'Recibo n.º'],
      ['N.º ticket', 'Operación'],
    ],
    cashier: [
      ['Cajero', 'Vendedor'],
      ['Le atendió', 'Caja'],
    ],
    cash: [
      ['Efectivo', 'Entregado'],
      ['Pago en efectivo', 'Recibido'],
    ],
    change: [
      ['Cambio', 'Su cambio'],
      ['Devolución', 'A devolver'],
    ],
    card: [
      ['Tarjeta', 'VISA'],
      ['Tarjeta de crédito', 'Pago con tarjeta'],
    ],
  },
  formTitles: [
    ['Solicitud de empleo', 'Ficha del paciente'],
    ['Solicitud de seguro', 'Solicitud de ingreso'],
  ],
  captions: {
    first_name: [['Nombre'], ['Nombre de pila', 'Nombre(s)']],
    last_name: [['Apellidos'], ['Primer apellido', 'Apellido(s)']],
    date_of_birth: [['Fecha de nacimiento'], ['Nacido/a el', 'Nacimiento']],
    address: [['Dirección'], ['Calle y número', 'Domicilio']],
    city: [['Ciudad'], ['Población', 'Localidad']],
    postal_code: [['Código postal'], ['C.P.', 'CP']],
    phone: [['Teléfono'], ['N.º de teléfono', 'Móvil']],
    email: [['Correo electrónico'], ['E-mail', 'Dirección de correo']],
    nationality: [['Nacionalidad'], ['Ciudadanía']],
    marital_status: [['Estado civil'], ['Situación familiar']],
    occupation: [['Profesión'], ['Ocupación', 'Puesto actual']],
    employer: [['Empleador'], ['Empresa', 'Empresa donde trabaja']],
    annual_income: [['Ingresos anuales'], ['Salario anual', 'Ingresos brutos al año']],
    start_date: [['Fecha de inicio'], ['Fecha de efecto', 'Disponible desde']],
    policy_number: [['Número de póliza'], ['Póliza n.º', 'N.º de contrato']],
    insured_amount: [['Suma asegurada'], ['Capital asegurado', 'Cobertura']],
    vehicle_model: [['Modelo del vehículo'], ['Marca y modelo']],
    license_plate: [['Matrícula'], ['Placa']],
    smoker: [['Fumador'], ['¿Fuma usted?']],
    emergency_contact: [['Contacto de emergencia'], ['En caso de emergencia avisar a']],
  },
  yesNo: ['Sí', 'No'],
  nationalities: ['española', 'mexicana', 'argentina'],
  maritalStates: ['soltera', 'casado', 'divorciada'],
  occupations: ['Enfermera', 'Fontanero', 'Contable', 'Profesora'],
};
