/** The company whose applications are recorded (first), its customers by size, and what people there are called. */

interface DemoOrganization {
  readonly id: string
  readonly name: string
  readonly language: keyof typeof names
  readonly plan: 'internal' | 'enterprise' | 'team' | 'starter'
}

export const names = {
  en: {
    first:
      'Ada Ben Chloe Daniel Eleanor Femi Grace Hassan Imogen Jack Keira Liam Maya Noah Olivia Priya Quentin Rosa Sam Tessa'.split(
        ' ',
      ),
    last: "Abbott Bello Carver Dawson Ellis Fraser Greene Hughes Iqbal Jensen Kaur Lowe Mbeki Nolan O'Brien Patel Quigley Reid Shaw Turner".split(
      ' ',
    ),
  },
  de: {
    first: 'Anke Björn Clara Dieter Elif Florian Greta Hannes Ines Jürgen Katrin Lukas'.split(' '),
    last: 'Albrecht Brandt Çelik Dietrich Engel Fuchs Groß Hoffmann Jäger Köhler Lorenz Müller'.split(' '),
  },
  fr: {
    first: 'Amélie Baptiste Camille Damien Élodie François Inès Julien Léa Mathieu Noémie Théo'.split(' '),
    last: 'Aubert Besson Chevalier Dufour Faure Garnier Lefèvre Marchand Noël Perrin Rousseau Vidal'.split(
      ' ',
    ),
  },
  es: {
    first: 'Alejandro Beatriz Carlos Dolores Iñaki Lucía Marta Núria Óscar Pilar'.split(' '),
    last: 'Álvarez Castillo Domínguez Fernández Ibáñez Muñoz Ortega Peña Ruiz Zamora'.split(' '),
  },
  pt: {
    first: 'Beatriz Caio Débora João Larissa Otávio'.split(' '),
    last: 'Almeida Conceição Ferreira Gonçalves Magalhães Souza'.split(' '),
  },
  ja: { first: '葵 翔太 結衣 健一 さくら 大輔'.split(' '), last: '佐藤 鈴木 高橋 田中 渡辺 山本'.split(' ') },
  zh: { first: '伟 芳 静怡 磊 思雨 浩然'.split(' '), last: '王 李 张 刘 陈 杨'.split(' ') },
  ar: {
    first: 'أحمد ليلى يوسف مريم خالد نور'.split(' '),
    last: 'المنصوري حداد الخطيب سليمان العلي ناصر'.split(' '),
  },
  he: { first: 'נועה איתן תמר יונתן'.split(' '), last: 'כהן לוי מזרחי פרץ'.split(' ') },
} as const

export const organizations: readonly DemoOrganization[] = [
  { id: 'org_fernhill', name: 'Fernhill', language: 'en', plan: 'internal' },
  { id: 'org_basecamp_supply', name: 'Basecamp Supply Co.', language: 'en', plan: 'enterprise' },
  { id: 'org_alpenwerk', name: 'Alpenwerk GmbH', language: 'de', plan: 'enterprise' },
  { id: 'org_maison_lenoir', name: 'Maison Lenoir', language: 'fr', plan: 'enterprise' },
  { id: 'org_tidewater', name: 'Tidewater Home & Garden', language: 'en', plan: 'enterprise' },
  { id: 'org_komorebi', name: '株式会社こもれび', language: 'ja', plan: 'enterprise' },
  { id: 'org_velo_ruiz', name: 'Velo Ruiz S.L.', language: 'es', plan: 'team' },
  { id: 'org_nordlicht', name: 'Nordlicht Möbel KG', language: 'de', plan: 'team' },
  { id: 'org_pebble', name: 'Pebble & Twine', language: 'en', plan: 'team' },
  { id: 'org_qamar', name: 'متجر القمر', language: 'ar', plan: 'team' },
  { id: 'org_luz_brasil', name: 'Luz do Brasil Ltda.', language: 'pt', plan: 'team' },
  { id: 'org_yunshan', name: '云山户外', language: 'zh', plan: 'team' },
  { id: 'org_harrow', name: 'Harrow Cycles', language: 'en', plan: 'team' },
  { id: 'org_atelier_brun', name: 'Atelier Brun', language: 'fr', plan: 'team' },
  { id: 'org_gezer', name: 'גזר ושות׳', language: 'he', plan: 'team' },
  { id: 'org_kettle_black', name: 'Kettle Black Coffee', language: 'en', plan: 'starter' },
  { id: 'org_strickliesel', name: 'Strickliesel', language: 'de', plan: 'starter' },
  { id: 'org_little_larch', name: 'Little Larch Toys', language: 'en', plan: 'starter' },
  { id: 'org_casa_olmo', name: 'Casa Olmo', language: 'es', plan: 'starter' },
  { id: 'org_inkwell', name: 'Inkwell Press', language: 'en', plan: 'starter' },
  { id: 'org_savonnerie', name: 'Savonnerie du Port', language: 'fr', plan: 'starter' },
  { id: 'org_two_rivers', name: 'Two Rivers Honey', language: 'en', plan: 'starter' },
  { id: 'org_brightside', name: 'Brightside Optics 🕶️', language: 'en', plan: 'starter' },
  { id: 'org_mori_ceramics', name: 'Mori Ceramics', language: 'ja', plan: 'starter' },
  { id: 'org_old_mill', name: 'The Old Mill Bakery', language: 'en', plan: 'starter' },
]
