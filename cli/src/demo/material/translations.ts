/** Product texts of merchants, and what the translations say. */

export interface ProductText {
  readonly sku: string
  readonly source: string
  readonly to: Readonly<Record<string, string>>
  readonly glossary?: readonly { readonly source: string; readonly target: string }[]
}

export const productTexts: readonly ProductText[] = [
  {
    sku: 'BC-2041',
    source:
      '<p>The <b>Ridge 45</b> carries three days of kit and weighs <b>1.3 kg</b>. Waxed canvas, brass buckles, and a lid that becomes a shoulder bag.</p>',
    to: {
      German:
        '<p>Der <b>Ridge 45</b> fasst Gepäck für drei Tage und wiegt <b>1,3 kg</b>. Gewachstes Canvas, Messingschnallen und ein Deckelfach, das zur Umhängetasche wird.</p>',
      French:
        '<p>Le <b>Ridge 45</b> emporte trois jours de matériel pour <b>1,3 kg</b>. Toile cirée, boucles en laiton et un rabat qui devient sacoche.</p>',
      Japanese:
        '<p><b>Ridge 45</b>は3日分の装備が入って重さは<b>1.3kg</b>。ワックスドキャンバスと真鍮のバックル、取り外してショルダーバッグになる雨蓋付き。</p>',
      Arabic:
        '<p>تتسع حقيبة <b>Ridge 45</b> لعتاد ثلاثة أيام ووزنها <b>1.3 كغ</b>. قماش مشمّع وأبازيم نحاسية وغطاء يتحول إلى حقيبة كتف.</p>',
    },
  },
  {
    sku: 'KB-0003',
    source:
      'Ethiopia Guji. Jasmine, apricot and a long finish like black tea. Roasted on Tuesdays, shipped on Wednesdays.',
    to: {
      German:
        'Äthiopien Guji. Jasmin, Aprikose und ein langer Abgang wie Schwarztee. Dienstags geröstet, mittwochs verschickt.',
      French:
        'Éthiopie Guji. Jasmin, abricot et une longue finale de thé noir. Torréfié le mardi, expédié le mercredi.',
      Spanish:
        'Etiopía Guji. Jazmín, albaricoque y un final largo que recuerda al té negro. Se tuesta los martes y se envía los miércoles.',
      'Simplified Chinese': '埃塞俄比亚古吉。茉莉、杏子，余韵悠长如红茶。周二烘焙，周三发货。',
    },
  },
  {
    sku: 'LL-0410',
    source:
      'A train of twelve pieces in larch and beech, held together by magnets. From three years. No paint, only oil.',
    glossary: [{ source: 'Larch', target: 'Lärche (wood, not the brand)' }],
    to: {
      German:
        'Ein Zug aus zwölf Teilen in Lärche und Buche, gehalten von Magneten. Ab drei Jahren. Ohne Lack, nur geölt.',
      French:
        "Un train de douze pièces en mélèze et hêtre, tenues par des aimants. Dès trois ans. Sans peinture, seulement de l'huile.",
      Portuguese:
        'Um trem de doze peças em lariço e faia, unidas por ímãs. A partir de três anos. Sem tinta, só óleo.',
      Hebrew: 'רכבת בת שנים־עשר חלקים מעץ לגש ואשור, מחוברים במגנטים. מגיל שלוש. בלי צבע, רק שמן.',
    },
  },
  {
    sku: 'AW-5510',
    source:
      'Merino base layer, 180 g/m². Flat seams, longer at the back, and it does not smell after a week in the hut. We tried. 🐑',
    glossary: [{ source: 'base layer', target: 'Funktionsunterwäsche' }],
    to: {
      German:
        'Funktionsunterwäsche aus Merino, 180 g/m². Flache Nähte, hinten länger, und nach einer Woche auf der Hütte riecht sie nicht. Wir haben es ausprobiert. 🐑',
      Spanish:
        'Camiseta interior de merino, 180 g/m². Costuras planas, más larga por detrás, y no huele tras una semana en el refugio. Lo hemos probado. 🐑',
      Japanese:
        'メリノウールのベースレイヤー、180g/m²。フラットシームで背面は長め。山小屋で1週間着ても臭いません（実証済み🐑）。',
    },
  },
  {
    sku: 'SP-2200',
    source:
      "Six bars of soap, 72 % olive oil, cut by hand and dried for six weeks. They smell of soap, and that's all.",
    to: {
      German:
        'Sechs Stück Seife mit 72 % Olivenöl, von Hand geschnitten und sechs Wochen getrocknet. Sie riechen nach Seife, mehr nicht.',
      Arabic:
        'ست قطع صابون بنسبة 72٪ من زيت الزيتون، مقطوعة يدويًا ومجففة ستة أسابيع. رائحتها رائحة صابون، لا أكثر.',
      'Simplified Chinese': '六块橄榄油皂，含油72%，手工切割，晾晒六周。闻起来就是肥皂，仅此而已。',
    },
  },
  {
    sku: 'NL-0071',
    source:
      'The stool "Föhr": three legs in oiled oak, a seat like a shallow bowl. Stands on any floor. Height 46 cm, holds 140 kg.',
    to: {
      French:
        'Le tabouret « Föhr » : trois pieds en chêne huilé, une assise en creux. Stable sur tous les sols. Hauteur 46 cm, supporte 140 kg.',
      Spanish:
        'Taburete «Föhr»: tres patas de roble aceitado y un asiento como un cuenco poco hondo. Estable en cualquier suelo. 46 cm de alto, aguanta 140 kg.',
      Japanese:
        'スツール「Föhr」：オイル仕上げのオーク材の三本脚と、浅い鉢のような座面。どんな床でもがたつきません。高さ46cm、耐荷重140kg。',
      Hebrew:
        'שרפרף "Föhr": שלוש רגליים מאלון משומן ומושב כקערה רדודה. עומד על כל רצפה. גובה 46 ס״מ, נושא 140 ק״ג.',
    },
  },
  {
    sku: 'HC-7720',
    source:
      'Dynamo headlight, 70 lux, with a cut-off that leaves oncoming riders their eyes. Stand light for four minutes.',
    to: {
      German:
        'Dynamo-Scheinwerfer, 70 Lux, mit einer Hell-Dunkel-Grenze, die Entgegenkommende nicht blendet. Standlicht vier Minuten.',
      French:
        "Phare dynamo, 70 lux, avec une coupure nette qui n'éblouit personne. Feu de position pendant quatre minutes.",
      Portuguese:
        'Farol de dínamo, 70 lux, com corte que não ofusca quem vem em sentido contrário. Luz de posição por quatro minutos.',
    },
  },
  {
    sku: 'IP-0815',
    source:
      'A calendar printed by hand on a press of 1911. The paper feels it, and so will you. Thirteen sheets, 24 × 34 cm.',
    to: {
      German:
        'Ein Kalender, von Hand auf einer Presse von 1911 gedruckt. Man fühlt es dem Papier an. Dreizehn Blätter, 24 × 34 cm.',
      Spanish:
        'Un calendario impreso a mano en una prensa de 1911. Se nota en el papel. Trece hojas, 24 × 34 cm.',
      Japanese: '1911年製の印刷機で手刷りしたカレンダー。紙の手ざわりでわかります。13枚、24×34cm。',
    },
  },
]
