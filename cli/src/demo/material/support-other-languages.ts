/** Conversations of merchants in other languages. */
import type { SupportConversation } from './support.ts'
import { orderShipped, orderWaiting, refundDone } from './support-tools.ts'

export const otherConversations: readonly SupportConversation[] = [
  {
    language: 'de',
    topic: 'order',
    turns: [
      {
        user: [
          'Warum hängt Bestellung {order} seit heute früh bei „Etikett ausstehend“?',
          'Moin, {order} bewegt sich nicht weiter. {carrier} kommt um 16 Uhr!',
        ],
        tool: orderWaiting,
        answer:
          'Tragen Sie auf der Bestellseite das Gewicht des Pakets ein und drücken Sie **Etikett erstellen**. {carrier} druckt ohne Gewicht kein Etikett, und bei „{product}“ fehlt es im Katalog.',
      },
      {
        user: [
          'Hat geklappt, danke. Geht das auch für alle Artikel auf einmal?',
          'Super. Und für 300 Artikel?',
        ],
        answer:
          'Ja: **Katalog → Export**, Spalte `weight_g` ausfüllen (in Gramm), Datei wieder importieren. Nur geänderte Zeilen werden übernommen.',
      },
    ],
  },
  {
    language: 'de',
    topic: 'billing',
    turns: [
      {
        user: ['Können wir zum Monatsende in den kleineren Tarif wechseln? Wir haben nur noch zwei Lager.'],
        tool: {
          name: 'billing_profile',
          input: {},
          output: { country: 'DE', plan: '{plan}', renewsOn: '2026-12-01', warehouses: 2 },
        },
        answer:
          'Ja. Unter **Einstellungen → Tarif** wählen Sie „Starter“; der Wechsel gilt ab dem 1. Dezember. Vorher müssen Sie auf 5 Plätze kommen, im Moment sind 9 belegt.',
      },
      {
        user: ['Was passiert mit den Daten des dritten Lagers?', 'Und der Bestand vom alten Lager?'],
        answer:
          'Die bleiben lesbar und exportierbar. Buchen können Sie dort erst wieder, wenn das Lager aktiv ist.',
      },
    ],
  },
  {
    language: 'fr',
    topic: 'shipping',
    turns: [
      {
        user: [
          "Bonjour, la commande {order} n'est toujours pas arrivée à {city}. Que faire ?",
          'Ma cliente attend {order} depuis une semaine…',
        ],
        tool: orderShipped,
        answer:
          'Le colis est chez {carrier} sous le numéro {tracking} ; dernier passage à {city} le {date}. {carrier} considère un colis comme perdu après sept jours sans passage : il est encore trop tôt pour une réclamation.',
      },
      {
        user: ['Et après sept jours ?', "D'accord. Qui fait la réclamation ?"],
        answer:
          'Ouvrez la commande et choisissez **Déclarer perdu**. Nous faisons la réclamation, et vous pouvez renvoyer « {product} » sans payer une nouvelle étiquette.',
      },
      {
        user: ['Parfait, merci beaucoup !', 'Merci ☺️'],
        answer: 'Je vous en prie. Bonne journée !',
      },
    ],
  },
  {
    language: 'es',
    topic: 'integration',
    turns: [
      {
        user: [
          'Desde ayer no entran pedidos de la tienda. ¿Qué pasa?',
          'Hola, se ha parado la sincronización con Shopify y tenemos 40 pedidos esperando.',
        ],
        tool: {
          name: 'integrations_status',
          input: { integration: 'shopify' },
          output: {
            integration: 'shopify',
            state: 'disconnected',
            lastEvent: '{date}',
            reason: 'token_revoked',
          },
        },
        answer:
          'Vuelva a conectarla en **Ajustes → Integraciones → Shopify**: el token de acceso se revocó el {date}. Los pedidos de estos días entran en cuanto esté conectada; no se pierde ninguno.',
      },
      {
        user: ['Ya está, gracias.', 'Listo. ¡Gracias!'],
        answer: '¡Estupendo! Puede seguir el progreso en **Actividad**.',
      },
    ],
  },
  {
    language: 'pt',
    topic: 'refund',
    turns: [
      {
        user: ['Um dos itens do pedido {order} chegou quebrado. Como devolvo só o valor dele?'],
        tool: orderShipped,
        answer: 'Posso reembolsar só o item {product}: {amount} EUR. Confirma? O cliente recebe um e-mail.',
      },
      {
        user: ['Confirmo.', 'Pode fazer, obrigado!'],
        tool: refundDone,
        answer:
          'Pronto: {amount} EUR, em três a cinco dias. O motivo ficou registrado como avaria no transporte.',
      },
    ],
  },
  {
    language: 'ja',
    topic: 'shipping',
    turns: [
      {
        user: [
          '注文{order}がまだ{city}に届いていないそうです。確認していただけますか。',
          'お世話になっております。{order}の配送状況を教えてください。',
        ],
        tool: orderShipped,
        answer:
          'お荷物は{carrier}（追跡番号 {tracking}）でお預かり中です。最終スキャンは{date}、{city}です。7日間スキャンがない場合に紛失扱いとなりますので、今しばらくお待ちください。',
      },
      {
        user: ['わかりました。紛失の場合の手続きは？', '7日を過ぎたらどうすればよいですか。'],
        answer:
          '注文ページで「紛失として報告」を選んでください。{carrier}への請求は弊社が行い、「{product}」は送料なしで再送できます。',
      },
    ],
  },
  {
    language: 'zh',
    topic: 'order',
    turns: [
      {
        user: ['订单{order}从早上开始一直停在“等待面单”，怎么回事？', '{order}卡住了，快递四点就来取件😰'],
        tool: orderWaiting,
        answer:
          '请在订单页填写包裹重量，然后点击“生成面单”。{carrier}没有重量就不出面单，而商品“{product}”在目录里缺少重量。',
      },
      {
        user: ['好了，谢谢！', '可以批量填写吗？'],
        answer: '可以：目录 → 导出，填写 `weight_g` 列（单位：克），再导入即可。',
      },
    ],
  },
  {
    language: 'ar',
    topic: 'refund',
    turns: [
      {
        user: ['وصلت إحدى القطعتين في الطلب {order} مكسورة. كيف أعيد ثمنها فقط؟'],
        tool: orderShipped,
        answer: 'يمكنني إعادة ثمن قطعة واحدة من {product} وهو {amount} يورو. هل أتابع؟ سيصل بريد إلى العميل.',
      },
      {
        user: ['نعم من فضلك.', 'نعم، شكرًا 🌙'],
        tool: refundDone,
        answer: 'تم. يصل المبلغ {amount} يورو خلال ثلاثة إلى خمسة أيام، وسُجّل السبب: تلف أثناء الشحن.',
      },
    ],
  },
  {
    language: 'he',
    topic: 'account',
    turns: [
      {
        user: ['עובדת חדשה לא מצליחה להתחבר, כתוב "אין מקום פנוי". מה עושים?'],
        tool: {
          name: 'account_seats',
          input: {},
          output: { seats: 5, used: 5, plan: '{plan}', lastSignIns: [{ name: 'מתמחה', days: 143 }] },
        },
        answer:
          'כל המקומות בתוכנית {plan} תפוסים. אחד מהם לא התחבר כבר 143 ימים: הסירו אותו תחת **הגדרות → אנשים**, והעובדת תוכל להתחבר מיד.',
      },
    ],
  },
]
