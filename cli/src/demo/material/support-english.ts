/** Conversations of merchants in English. */
import type { SupportConversation } from './support.ts'
import { orderShipped, orderWaiting, refundDone } from './support-tools.ts'

export const englishConversations: readonly SupportConversation[] = [
  {
    language: 'en',
    topic: 'order',
    turns: [
      {
        user: [
          'Order {order} has been sitting in "awaiting label" since this morning. Why?',
          'hi, {order} is stuck on awaiting label, what do I do',
          'Can you look at {order}? It will not move past the label step and {carrier} collects at 4.',
        ],
        tool: orderWaiting,
        answer:
          'Enter the weight of the parcel on the order page, then press **Create label**. {carrier} refuses a label without a weight, and {product} has none in your catalogue.',
      },
      {
        user: [
          'Done, label printed. Can I set the weight for all of them at once?',
          'that worked, thanks! is there a bulk way?',
        ],
        answer:
          'Yes: **Catalogue → Export**, fill the column `weight_g`, and import the file again. Only rows that changed are touched.',
      },
      {
        user: ['Grams or kilos?', 'is that in grams?'],
        answer: 'Grams, whole numbers. 1.2 kg is `1200`.',
      },
    ],
  },
  {
    language: 'en',
    topic: 'shipping',
    turns: [
      {
        user: [
          'My customer in {city} says nothing arrived. Order {order}.',
          'where is {order}?? customer is getting impatient',
          'Could you trace the parcel for {order}, please? It should have been in {city} two days ago.',
        ],
        tool: orderShipped,
        answer:
          'The parcel is with {carrier} under {tracking}. It was last scanned in {city} on {date}; {carrier} calls a parcel lost after seven days without a scan, so there is nothing to claim yet.',
      },
      {
        user: ['And if it does not turn up by then?', 'ok and what after the 7 days'],
        answer:
          'Open the order and choose **Report as lost**. We file the claim with {carrier} for you, and you can send {product} again from the same page at no label cost.',
      },
    ],
  },
  {
    language: 'en',
    topic: 'refund',
    turns: [
      {
        user: [
          'One of two {product} in {order} arrived broken. How do I refund only that one?',
          'partial refund for {order} - only one item, it was damaged',
        ],
        tool: orderShipped,
        answer:
          'I can refund the one {product} for {amount} EUR. Shall I? The customer gets a mail, and your stock stays as it is unless the item comes back.',
      },
      {
        user: ['Yes please.', 'yes go ahead', 'Do it. 👍'],
        tool: refundDone,
        answer:
          'The refund of {amount} EUR is under way and reaches the customer in three to five days. I noted "damaged" as the reason, so it counts in your carrier report.',
      },
      {
        user: ['Great. Can the customer keep the broken one?', 'do they need to send it back?'],
        answer:
          'Yes, they can keep it. A return is only created if you press **Create return** on the order.',
      },
    ],
  },
  {
    language: 'en',
    topic: 'refund',
    isUrgent: true,
    turns: [
      {
        user: [
          'We have to refund {order} in full, it is 1,240 EUR and the customer has a lawyer.',
          'URGENT full refund {order}, 1240 euros, legal threat from customer',
        ],
        tool: orderShipped,
        answer:
          'I am handing this to a colleague in the billing team: refunds above 500 EUR need a second person. They have the conversation and the order, and will write to you here.',
        isHandOver: true,
      },
    ],
  },
  {
    language: 'en',
    topic: 'integration',
    turns: [
      {
        user: [
          'Since last night no order from our Shopify store comes in.',
          'shopify sync stopped. nothing since {date}',
        ],
        tool: {
          name: 'integrations_status',
          input: { integration: 'shopify' },
          output: {
            integration: 'shopify',
            state: 'disconnected',
            lastEvent: '{date}',
            reason: 'The access token was revoked by the shop owner.',
          },
        },
        answer:
          'Reconnect it under **Settings → Integrations → Shopify**. The access token was revoked in your shop on {date}. Orders since then are fetched as soon as it is connected; none is lost.',
      },
      {
        user: ['Reconnected. How long until they show up?', 'ok connected again. how long does it take'],
        answer: 'About a minute for every 200 orders. You see the progress under **Activity**.',
      },
      {
        user: [
          'They are all there. Can I get a mail next time it disconnects?',
          'all good now!! could we be alerted next time?',
        ],
        answer:
          'Yes: **Settings → Notifications → Integrations**. Choose mail or a webhook; a webhook gets the reason too.',
      },
      {
        user: ['Perfect, thank you.', 'thx 🙏'],
        answer: 'You are welcome. I have left the reason on the integration page in case a colleague asks.',
      },
    ],
  },
  {
    language: 'en',
    topic: 'billing',
    turns: [
      {
        user: [
          'Your last invoice charges VAT although we are in Norway.',
          'why is there VAT on our fernhill invoice, we are not in the EU',
        ],
        tool: {
          name: 'billing_profile',
          input: {},
          output: { country: 'NO', vatId: null, lastInvoice: 'FH-2211', vat: '{amount}' },
        },
        answer:
          'Add your organisation number under **Settings → Billing**. Without one we have to charge VAT ({amount} EUR on FH-2211). Once it is there I can have the invoice written anew.',
      },
      {
        user: ['Added. Please send the new invoice.', 'done, can you reissue it'],
        answer:
          'I have asked the billing team to write FH-2211 anew without VAT. You will find it under **Billing → Invoices** today; the difference is paid back to your card.',
        isHandOver: true,
      },
    ],
  },
  {
    language: 'en',
    topic: 'account',
    turns: [
      {
        user: [
          'A new colleague cannot sign in with SSO, it says "no seat".',
          'sso login -> "no seat available" for our new warehouse lead',
        ],
        tool: {
          name: 'account_seats',
          input: {},
          output: {
            seats: 12,
            used: 12,
            plan: '{plan}',
            lastSignIns: [{ name: 'Former intern', days: 143 }],
          },
        },
        answer:
          'All 12 seats of your {plan} plan are taken. One belongs to somebody who has not signed in for 143 days: remove them under **Settings → People**, and your colleague can sign in at once.',
      },
      {
        user: ['Ah, our former intern. Removed, works now.', 'removed, she is in. thanks'],
        answer: 'Good. What the intern did stays in the activity log under their name.',
      },
    ],
  },
  {
    language: 'en',
    topic: 'order',
    turns: [
      {
        user: [
          'The CSV export of my orders shows strange characters instead of ü and é.',
          'csv export broken?? all umlauts are garbage in excel',
        ],
        tool: {
          name: 'help_search',
          input: { query: 'csv export excel encoding' },
          output: [{ id: 'kb-118', title: 'Opening an export in Excel', score: 0.87 }],
        },
        answer:
          'Choose **Export → Excel (.xlsx)** instead. The CSV is UTF-8, which Excel only understands through **Data → From text**. Your data is fine.',
      },
      {
        user: ['xlsx works. Why not make that the default?', 'ok that works'],
        answer:
          'It is a fair point; I have passed it on. You can set it for yourself under **Settings → Exports**.',
      },
    ],
  },
  {
    language: 'en',
    topic: 'shipping',
    turns: [
      {
        user: [
          'How do I ship to Switzerland? {carrier} wants a customs form for {order}.',
          'first order to switzerland ({order}), what about customs',
        ],
        tool: orderWaiting,
        answer:
          'Fill in the **HS code** and the **country of origin** of {product} in the catalogue, then create the label: the CN23 form is printed with it. Two copies go outside on the parcel.',
      },
      {
        user: ['Where do I find the HS code?', 'what is the HS code for that'],
        answer:
          "Your supplier knows it; it is often on their invoice. The EU's TARIC page finds it by description. I cannot choose it for you, because you answer for it.",
      },
      {
        user: ['Found it. Thanks!', 'ok got it from the supplier invoice'],
        answer: 'Then the label should work now. The code stays with {product}, so you only do this once.',
      },
      {
        user: [
          'The form shows the price with VAT, is that right?',
          'should the value on the cn23 be gross or net',
        ],
        answer:
          'Net, without VAT. Switch **Customs value** to "net" under **Settings → Shipping**, and print it again.',
      },
      {
        user: ['Now it is right.', 'perfect'],
        answer: 'Have a good trip to the post office.',
      },
    ],
  },
  {
    language: 'en',
    topic: 'other',
    turns: [
      {
        user: ['hello', 'Hi there', 'are you a bot?', '👋'],
        answer:
          'Hello! I am an assistant and can look up orders, parcels and settings. What can I do for you?',
      },
      {
        user: ['nothing, just testing', 'I want a human.', 'can I speak to a person'],
        answer:
          "A colleague takes over here on working days from 8 to 18 o'clock (CET). Tell me what it is about, and they have it at once.",
        isHandOver: true,
      },
    ],
  },
]
