/** Companies that the sales agent looks at, what it finds, and what it writes. */

export interface Lead {
  readonly company: string
  readonly contact: string
  readonly role?: string
  readonly industry: string
  readonly website: string
  readonly language: 'English' | 'German' | 'French'
  readonly notes?: string
  readonly pages: readonly { readonly title: string; readonly url: string; readonly text: string }[]
  readonly facts: readonly string[]
  readonly mail: string
}

export const leads: readonly Lead[] = [
  {
    company: 'Alder & Sons Saddlery',
    contact: 'Martha Alder',
    role: 'Managing director',
    industry: 'Leather goods',
    website: 'aldersaddlery.example',
    language: 'English',
    notes: 'Met at the Birmingham fair; asked about stock-taking.',
    pages: [
      {
        title: 'About us – Alder & Sons',
        url: 'https://aldersaddlery.example/about',
        text: 'Since 1892 in Walsall. 34 people, two workshops, and since spring a shop in Leeds.',
      },
      {
        title: 'Alder Ltd – timber merchants',
        url: 'https://alder-timber.example',
        text: 'Sawn timber for the trade.',
      },
      {
        title: 'Alder & Sons now delivers to the EU',
        url: 'https://leathernews.example/alder-eu',
        text: 'From May the saddlery ships to Germany and France, after two years in which customs had made it stop.',
      },
    ],
    facts: [
      'Two workshops and a new shop in Leeds [1]',
      'Ships to the EU again since May [3]',
      'Page 2 is about another company of that name',
    ],
    mail: 'Dear Martha,\n\nwhen we spoke in Birmingham you said that stock-taking closes the workshop for two days each January. With a shop in Leeds there are now three places to count, and since May parcels that need a customs form. Our merchants count shelf by shelf while they go on packing, and the form comes out with the label.\n\nWould it help to see it with your own catalogue, say on Thursday?',
  },
  {
    company: 'Fjordlys AS',
    contact: 'Ingrid Solheim',
    role: 'Operations',
    industry: 'Candles',
    website: 'fjordlys.example',
    language: 'English',
    pages: [
      {
        title: 'Fjordlys – candles from Bergen',
        url: 'https://fjordlys.example',
        text: '40 kinds of candles, poured in Bergen. Free returns in Norway.',
      },
      {
        title: 'Jobs at Fjordlys',
        url: 'https://fjordlys.example/jobs',
        text: 'We look for a warehouse lead who will help us replace our spreadsheets.',
      },
    ],
    facts: [
      'They run the warehouse on spreadsheets and want to replace them [2]',
      'Free returns in Norway, so returns are many [1]',
    ],
    mail: 'Dear Ingrid,\n\nyour advertisement for a warehouse lead says the spreadsheets are to go. In our experience they go last where returns are free, because nobody else knows which candle is on its way back. Fernhill keeps that for you: a return has a state, and the stock goes up when somebody has looked at the box.\n\nWho decides on it, you or the new lead?',
  },
  {
    company: 'Möbelhaus Brandt',
    contact: 'Thomas Brandt',
    industry: 'Furniture',
    website: 'moebel-brandt.example',
    language: 'German',
    notes: 'Uses a competitor until March.',
    pages: [
      {
        title: 'Möbelhaus Brandt – Lieferung und Montage',
        url: 'https://moebel-brandt.example/lieferung',
        text: 'Wir liefern mit eigenen Wagen im Umkreis von 80 km, sonst per Spedition in bis zu sechs Wochen.',
      },
    ],
    facts: [
      'Eigene Wagen im Umkreis von 80 km, sonst Spedition [1]',
      'Vertrag mit einem Wettbewerber bis März (CRM)',
    ],
    mail: 'Guten Tag Herr Brandt,\n\nSie liefern im Umkreis von 80 km selbst und darüber hinaus mit Spedition: zwei Wege, die in den meisten Systemen zwei Listen sind. Bei uns ist es eine, und der Kunde sieht den Termin, bevor er bestellt. Ihr Vertrag läuft bis März; ein Umzug dauert bei Häusern Ihrer Größe etwa drei Wochen.\n\nDarf ich Ihnen zeigen, wie das mit Ihren Artikeln aussieht?',
  },
  {
    company: 'Les Ruchers du Causse',
    contact: 'Élise Faure',
    role: 'Gérante',
    industry: 'Honey',
    website: 'ruchersducausse.example',
    language: 'French',
    pages: [
      {
        title: 'Nos miels',
        url: 'https://ruchersducausse.example/miels',
        text: 'Six miels, récoltés de mai à septembre. Chaque pot porte son numéro de lot.',
      },
      {
        title: 'Foire de Cahors : les Ruchers du Causse médaillés',
        url: 'https://journal-du-lot.example/foire',
        text: 'Trois médailles, et un carnet de commandes plein jusqu’à Noël.',
      },
    ],
    facts: ['Chaque pot porte un numéro de lot [1]', 'Carnet de commandes plein jusqu’à Noël [2]'],
    mail: 'Bonjour Madame Faure,\n\nfélicitations pour les trois médailles. Un carnet plein jusqu’à Noël, c’est aussi beaucoup de pots dont il faut retrouver le lot si un client appelle. Chez nous le numéro de lot suit la commande, et un rappel prend dix minutes.\n\nQui prépare vos colis en décembre ?',
  },
  {
    company: 'Paper Lantern Games',
    contact: 'Jun Park',
    role: 'Co-founder',
    industry: 'Board games',
    website: 'paperlantern.example',
    language: 'English',
    notes: 'Crowdfunding campaign just ended: 11,400 backers.',
    pages: [
      {
        title: 'Tidefall: fulfilment update #7',
        url: 'https://paperlantern.example/updates/7',
        text: '11,400 backers, five kinds of pledges, add-ons, 62 countries. We hope to ship in spring.',
      },
      {
        title: 'Paper Lantern on splitting shipments',
        url: 'https://paperlantern.example/blog/split',
        text: 'Last time one missing add-on held back 900 boxes for two months.',
      },
    ],
    facts: [
      '11,400 backers in 62 countries, shipping in spring [1]',
      'A missing add-on held back 900 boxes last time [2]',
    ],
    mail: 'Hello Jun,\n\n11,400 boxes of five kinds into 62 countries is more a counting problem than a shipping one, and your post about the 900 boxes says you know. Fernhill can hold an order, split it, or send it without the add-on, for each backer, and print the customs form with it.\n\nDo you want to try it with the export of your pledge manager?',
  },
]

export const crmNotes = [
  'No earlier contact.',
  'Trial in 2024, ended without a reason given.',
  'Newsletter since March; opened 7 of 9.',
  'Owner: Tessa. Call on hold until the budget is settled.',
] as const
