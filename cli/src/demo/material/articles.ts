/** The help centre: its articles, and what people ask of it. */
import type { Language } from '../people.ts'

export interface Article {
  readonly id: string
  readonly title: string
  readonly text: string
}

export const articles: readonly Article[] = [
  {
    id: 'kb-101',
    title: 'Connecting a Shopify store',
    text: 'Open Settings → Integrations → Shopify and press Connect. You need the role owner in the store. Orders of the last 60 days are fetched once; after that every order arrives by webhook within seconds.',
  },
  {
    id: 'kb-104',
    title: 'Why an integration disconnects',
    text: 'An integration disconnects when its token is revoked, when the owner of the store changes, or after 14 days of failing calls. Orders placed meanwhile are fetched after you connect again.',
  },
  {
    id: 'kb-112',
    title: 'Importing a catalogue',
    text: 'CSV or XLSX, one row per variant, `sku` is the key. Rows that did not change are skipped. Up to 100,000 rows a file; errors are listed with their line and nothing is imported until you confirm.',
  },
  {
    id: 'kb-118',
    title: 'Opening an export in Excel',
    text: 'Exports are UTF-8. Excel opens CSV files in the system encoding, which garbles umlauts: use the .xlsx export, or Data → From text and choose 65001: Unicode (UTF-8).',
  },
  {
    id: 'kb-123',
    title: 'Stock in several warehouses',
    text: 'Each warehouse has its own count. An order is given to the nearest warehouse that has all of its lines; if none has, it is split, unless "never split" is set on the sales channel.',
  },
  {
    id: 'kb-127',
    title: 'Stock-taking without closing',
    text: 'Start a count per shelf. Movements during a count are recorded and applied after it, so you can pick and pack meanwhile. A difference above 5 % asks for a second count.',
  },
  {
    id: 'kb-131',
    title: 'Labels: the weight is missing',
    text: 'Carriers refuse a label without a weight. Set `weight_g` in the catalogue, or enter it for one parcel on the order page. DHL and DPD round up to 100 g.',
  },
  {
    id: 'kb-135',
    title: 'Customs forms (CN22 and CN23)',
    text: 'Outside the EU customs union a form is printed with the label: CN22 up to 425 EUR, CN23 above. Each line needs an HS code, a country of origin and a net value.',
  },
  {
    id: 'kb-140',
    title: 'Refunds, in part or in full',
    text: 'Open the order, choose Refund, and the lines or the amount. Refunds above 500 EUR need a second person. The money goes the way it came, in three to five working days.',
  },
  {
    id: 'kb-144',
    title: 'Returns and restocking',
    text: 'A return has four states: announced, received, checked, closed. Stock goes up when it is checked. "Keep the item" refunds without a return.',
  },
  {
    id: 'kb-150',
    title: 'Roles and permissions',
    text: 'Owner, admin, warehouse, support, read-only. Support may refund up to 100 EUR; an admin may change the limit for each person. Roles come from your identity provider if SSO maps groups.',
  },
  {
    id: 'kb-152',
    title: 'Single sign-on with SAML or OIDC',
    text: 'Plans Team and above. Give us the metadata URL (SAML) or issuer and client id (OIDC). The first person who signs in with a new domain needs a free seat.',
  },
  {
    id: 'kb-158',
    title: 'API keys and rate limits',
    text: 'Keys are made under Settings → Developers and shown once. The limit is 120 requests a minute; the headers RateLimit and Retry-After tell where you stand. Ask for more before a sale, not during it.',
  },
  {
    id: 'kb-160',
    title: 'Webhooks: retries and signatures',
    text: 'A webhook that does not answer 2xx within 10 s is tried again 8 times over 24 hours. The signature is HMAC-SHA256 of the raw body in X-Fernhill-Signature.',
  },
  {
    id: 'kb-166',
    title: 'VAT on our own invoices',
    text: 'With a valid EU VAT id we invoice without VAT (reverse charge). Outside the EU we need your organisation number. An invoice can be written anew within the same quarter.',
  },
  {
    id: 'kb-171',
    title: 'Changing or cancelling a plan',
    text: 'Up at once, down at the end of the period. After cancelling, everything stays readable for 90 days and can be exported; then it is deleted.',
  },
  {
    id: 'kb-180',
    title: 'Where is our data?',
    text: 'In Frankfurt and Paris. Backups every hour are kept 35 days. Sub-processors are listed under fernhill.example/subprocessors, and changes are announced 30 days ahead.',
  },
  {
    id: 'kb-184',
    title: 'Barcode scanners that work',
    text: 'Any scanner that types (HID) works. For the mobile app: Zebra TC22 and Honeywell CT30. Set the suffix to Enter.',
  },
]

interface Question {
  readonly language: Language
  readonly asked: readonly string[]
  readonly query: string
  /** Ids of articles that answer it. Empty where the help centre does not know. */
  readonly found: readonly string[]
  readonly answer: string
}

export const questions: readonly Question[] = [
  {
    language: 'en',
    asked: [
      'how many api calls per minute',
      'What is the API rate limit?',
      'rate limit 429 too many requests',
    ],
    query: 'API rate limit requests per minute',
    found: ['kb-158', 'kb-160'],
    answer:
      '120 requests a minute per key. The `RateLimit` header tells what is left, and `Retry-After` when to come back. [kb-158]',
  },
  {
    language: 'en',
    asked: ['Can we pick orders while we count the stock?', 'stock take without closing warehouse'],
    query: 'stock count while warehouse open',
    found: ['kb-127', 'kb-123'],
    answer:
      'Yes. Count shelf by shelf; movements during a count are applied after it. A difference above 5 % asks for a second count. [kb-127]',
  },
  {
    language: 'en',
    asked: ['customs form for norway', 'Do I need a CN23 for a 300 EUR parcel to Switzerland?'],
    query: 'customs form CN22 CN23 limit',
    found: ['kb-135', 'kb-131'],
    answer:
      'A CN22 is enough up to 425 EUR; it is printed with the label. Each line needs an HS code, the country of origin and the net value. [kb-135]',
  },
  {
    language: 'en',
    asked: ['verify webhook signature', 'how is the webhook signed', 'X-Fernhill-Signature algorithm??'],
    query: 'webhook signature HMAC verification',
    found: ['kb-160'],
    answer:
      'HMAC-SHA256 over the raw body, in `X-Fernhill-Signature`. Compare before you parse the JSON. [kb-160]',
  },
  {
    language: 'en',
    asked: ['order split between two warehouses, stop that', 'Why was my order split?'],
    query: 'order split warehouses never split',
    found: ['kb-123'],
    answer:
      'No single warehouse had all of its lines. Set **never split** on the sales channel to wait for stock instead. [kb-123]',
  },
  {
    language: 'en',
    asked: ['where is data stored gdpr', 'Is our data in the EU?', 'data residency + backups'],
    query: 'data location EU backups retention',
    found: ['kb-180', 'kb-171'],
    answer:
      'In Frankfurt and Paris, with hourly backups kept for 35 days. [kb-180] After cancelling it stays readable for 90 days. [kb-171]',
  },
  {
    language: 'en',
    asked: ['does the app work offline', 'Offline mode for the warehouse app?'],
    query: 'mobile app offline mode',
    found: [],
    answer:
      'The articles do not say whether the app works offline. Try searching for "mobile app" or ask support.',
  },
  {
    language: 'en',
    asked: ['limit refunds for support staff', 'Can support agents refund 200 EUR?'],
    query: 'refund limit role support permission',
    found: ['kb-150', 'kb-140'],
    answer:
      'The role support may refund up to 100 EUR; an admin can raise it for each person. Above 500 EUR a second person is needed. [kb-150] [kb-140]',
  },
  {
    language: 'en',
    asked: ['which barcode scanner should i buy', 'Zebra scanner supported?'],
    query: 'supported barcode scanner',
    found: ['kb-184'],
    answer:
      'Any scanner that types like a keyboard. For the mobile app: Zebra TC22 or Honeywell CT30, with the suffix set to Enter. [kb-184]',
  },
  {
    language: 'de',
    asked: ['Wie lange bleiben Daten nach der Kündigung lesbar?', 'kündigung daten export'],
    query: 'cancel plan data export retention',
    found: ['kb-171', 'kb-180'],
    answer: '90 Tage lang ist alles lesbar und exportierbar, danach wird es gelöscht. [kb-171]',
  },
  {
    language: 'de',
    asked: ['Umlaute kaputt in Excel', 'CSV-Export in Excel öffnen: „MÃ¼ller“ statt „Müller“'],
    query: 'CSV export Excel encoding umlauts',
    found: ['kb-118', 'kb-112'],
    answer:
      'Nehmen Sie den .xlsx-Export, oder in Excel **Daten → Aus Text** mit 65001: Unicode (UTF-8). [kb-118]',
  },
  {
    language: 'fr',
    asked: ['délai de remboursement', 'Un remboursement partiel est-il possible ?'],
    query: 'partial refund delay',
    found: ['kb-140', 'kb-144'],
    answer:
      "Oui : ouvrez la commande, **Rembourser**, puis choisissez les lignes ou le montant. L'argent arrive en trois à cinq jours ouvrés. [kb-140]",
  },
  {
    language: 'es',
    asked: ['¿Se puede usar SSO con el plan Starter?', 'configurar SAML'],
    query: 'SSO SAML plan requirements',
    found: ['kb-152', 'kb-150'],
    answer:
      'No: hace falta el plan Team o superior. Después basta con la URL de metadatos (SAML) o el emisor y el client id (OIDC). [kb-152]',
  },
  {
    language: 'ja',
    asked: ['返品した商品の在庫はいつ戻りますか', '返品 在庫 反映'],
    query: 'return restock when stock increases',
    found: ['kb-144'],
    answer: '返品の状態が「検品済み」になった時点で在庫が増えます。[kb-144]',
  },
  {
    language: 'zh',
    asked: ['一次最多能导入多少行商品？', '导入 目录 上限'],
    query: 'catalogue import row limit',
    found: ['kb-112'],
    answer: '每个文件最多 100,000 行（CSV 或 XLSX），以 `sku` 为键；确认之前不会写入任何数据。[kb-112]',
  },
  {
    language: 'ar',
    asked: ['كيف أربط متجر شوبيفاي؟'],
    query: 'connect Shopify store',
    found: ['kb-101', 'kb-104'],
    answer:
      'من الإعدادات ← التكاملات ← Shopify اضغط «ربط». تحتاج إلى صلاحية المالك في المتجر، وتُجلب طلبات آخر 60 يومًا مرة واحدة. [kb-101]',
  },
]
