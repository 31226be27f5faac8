/** Suppliers and what they sell, for invoices that look like paper. */

export interface Supplier {
  readonly name: string
  readonly address: string
  readonly taxId: string
  readonly currency: 'EUR' | 'GBP' | 'USD' | 'JPY'
  readonly vatPercent: number
  readonly words: {
    readonly invoice: string
    readonly date: string
    readonly vat: string
    readonly total: string
  }
  readonly decimal: ',' | '.'
  /** The last is what the delivery costs. */
  readonly goods: readonly (readonly [description: string, unitPrice: number])[]
}

const english = { invoice: 'INVOICE', date: 'Date', vat: 'VAT', total: 'TOTAL DUE' }
const german = { invoice: 'RECHNUNG', date: 'Datum', vat: 'MwSt.', total: 'Gesamtbetrag' }
const french = { invoice: 'FACTURE', date: 'Date', vat: 'TVA', total: 'Total TTC' }

export const suppliers: readonly Supplier[] = [
  {
    name: 'Ashdown Canvas Ltd',
    address: '14 Dye House Lane, Bristol BS2 0QT',
    taxId: 'GB 291 4471 02',
    currency: 'GBP',
    vatPercent: 20,
    words: english,
    decimal: '.',
    goods: [
      ['Waxed canvas 12 oz, olive, per metre', 18.4],
      ['Brass buckle 25 mm', 0.62],
      ['YKK zip #8, 60 cm', 2.15],
      ['Leather patch, embossed', 1.9],
      ['Carriage', 14],
    ],
  },
  {
    name: 'Kartonagen Weiß GmbH & Co. KG',
    address: 'Industriestraße 7, 73734 Esslingen',
    taxId: 'DE 811 204 663',
    currency: 'EUR',
    vatPercent: 19,
    words: german,
    decimal: ',',
    goods: [
      ['Faltkarton 400×300×200, einwellig', 0.58],
      ['Versandtasche A4, Graspapier', 0.21],
      ['Klebeband Papier 50 mm × 50 m', 1.95],
      ['Füllmaterial Wellpappe, 10 kg', 16.5],
      ['Frachtkostenanteil', 29],
    ],
  },
  {
    name: 'Savonnerie du Port SARL',
    address: '3 quai des Belges, 13001 Marseille',
    taxId: 'FR 40 512 337 904',
    currency: 'EUR',
    vatPercent: 20,
    words: french,
    decimal: ',',
    goods: [
      ["Savon à l'huile d'olive 100 g", 1.35],
      ['Savon lavande 100 g', 1.5],
      ['Coffret carton 6 savons', 0.9],
      ['Transport', 22],
    ],
  },
  {
    name: 'Guji Highland Exports PLC',
    address: 'Bole Road, Addis Ababa',
    taxId: 'TIN 0051288301',
    currency: 'USD',
    vatPercent: 0,
    words: english,
    decimal: '.',
    goods: [
      ['Green coffee, Guji G1 natural, 60 kg bag', 498],
      ['Green coffee, Sidamo G2 washed, 60 kg bag', 441],
      ['GrainPro liner', 3.2],
      ['Inland transport to Djibouti', 310],
    ],
  },
  {
    name: '有限会社 森窯',
    address: '岐阜県多治見市本町3-12',
    taxId: 'T6200002011447',
    currency: 'JPY',
    vatPercent: 10,
    words: { invoice: '請求書', date: '発行日', vat: '消費税', total: '合計金額' },
    decimal: '.',
    goods: [
      ['湯呑み 織部 大', 1450],
      ['飯碗 粉引', 1800],
      ['梱包費', 600],
      ['送料', 1320],
    ],
  },
  {
    name: 'Dynalux Lighting B.V.',
    address: 'Havenweg 210, 3011 Rotterdam',
    taxId: 'NL 8532.14.771.B01',
    currency: 'EUR',
    vatPercent: 21,
    words: { invoice: 'FACTUUR', date: 'Datum', vat: 'BTW', total: 'Te betalen' },
    decimal: ',',
    goods: [
      ['Dynamo-koplamp LX-70', 23.9],
      ['Achterlicht met remfunctie', 17.4],
      ['Naafdynamo 6V/3W', 41],
      ['Verzendkosten', 12.5],
    ],
  },
  {
    name: 'Larchmont Hardwoods Inc.',
    address: '880 Mill St, Burlington, VT 05401',
    taxId: 'EIN 03-0287714',
    currency: 'USD',
    vatPercent: 0,
    words: { ...english, vat: 'Sales tax', total: 'AMOUNT DUE' },
    decimal: '.',
    goods: [
      ['White oak 8/4, FAS, per board foot', 11.25],
      ['Black walnut 4/4, select', 13.8],
      ['Dowel, beech 10 mm, pack of 100', 9.4],
      ['Delivery, residential', 85],
    ],
  },
]

export const checks = [
  'The freight line is net while the total is gross: check whether VAT was charged on it.',
  'The total leaves out the last line; ask the supplier for a corrected invoice.',
  'The sums differ by a rounding of one cent on each line; it is safe to accept.',
  'A discount of 2 % for early payment is in the footer and was taken off the total.',
] as const
