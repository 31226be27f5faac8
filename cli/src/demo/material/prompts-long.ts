/** The prompts that do most of the work; their texts are long and have a history. */
import type { DemoPrompt } from './prompts.ts'

const supportSystem = `You answer merchants who run their shop on Fernhill, an order-management system.

- Answer in the merchant's language.
- Look an order up before you say anything about it.
- Refunds above 500 EUR and cancelled contracts go to a person: say so, and hand over.
- Never promise a date that a tool did not return.`

const supportText = `{% for turn in history %}{{ turn.role }}: {{ turn.content }}
{% endfor %}
Merchant: {{ question }}`

const invoiceSchema = {
  name: 'invoice',
  schema: {
    type: 'object',
    required: ['supplier', 'number', 'date', 'currency', 'lines', 'total'],
    properties: {
      supplier: { type: 'string' },
      number: { type: 'string' },
      date: { type: 'string', format: 'date' },
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          required: ['description', 'quantity', 'unitPrice', 'amount'],
          properties: {
            description: { type: 'string' },
            quantity: { type: 'number' },
            unitPrice: { type: 'number' },
            amount: { type: 'number' },
          },
        },
      },
      vat: { type: 'number' },
      total: { type: 'number' },
    },
  },
}

const supportTools = [
  {
    type: 'function',
    function: {
      name: 'orders_get',
      description: 'State, lines and parcels of an order.',
      parameters: { type: 'object', required: ['order'], properties: { order: { type: 'string' } } },
    },
  },
  {
    type: 'function',
    function: {
      name: 'help_search',
      description: 'Articles of the help centre.',
      parameters: { type: 'object', required: ['query'], properties: { query: { type: 'string' } } },
    },
  },
]

export const longPrompts: readonly DemoPrompt[] = [
  {
    slug: 'support-answer',
    name: 'Support: answer',
    featureSlug: 'support-chat',
    description: 'Answers merchants in the chat of the admin page.',
    versions: [
      {
        version: '1.0.0',
        model: 'gpt-4o',
        systemText: 'You are a helpful support agent of Fernhill.',
        text: '{{ question }}',
        message: 'First version.',
      },
      {
        version: '2.0.0',
        model: 'gpt-4o',
        systemText: supportSystem,
        text: supportText,
        message: 'Rules for refunds, and the whole conversation.',
        parameters: { temperature: 0.3, maxLength: 800, tools: supportTools },
      },
      {
        version: '2.1.0',
        model: 'gpt-4o',
        systemText: `${supportSystem}\n- Keep it under 60 words.`,
        text: supportText,
        message: 'Shorter: two in three answers were not read to the end.',
        parameters: { temperature: 0.3, maxLength: 300, tools: supportTools },
      },
      {
        version: '2.2.0',
        model: 'gpt-4o',
        systemText: `${supportSystem}\n- Begin with what the merchant should do. Reasons come after it, if at all.`,
        text: supportText,
        message: '60 words cut off the steps; the order of things was what mattered.',
        parameters: { temperature: 0.3, maxLength: 800, tools: supportTools },
      },
      {
        version: '3.0.0',
        model: 'gpt-5-mini',
        systemText: `${supportSystem}\n- Begin with what the merchant should do. Reasons come after it, if at all.`,
        text: supportText,
        message: 'The same text on a model that costs a fifth. The experiment shows no loss.',
        parameters: { temperature: 1, maxLength: 1200, tools: supportTools, reasoningEffort: 'low' },
      },
      {
        version: '3.1.0',
        model: 'gpt-5-mini',
        systemText: `${supportSystem}\n- Begin with what {{ customer_name }} should do. Reasons come after it, if at all.\n{% if plan == "enterprise" %}- Offer a call with their account manager when something stays open.\n{% endif %}`,
        text: supportText,
        message: 'Offers enterprise merchants a call.',
        parameters: {
          temperature: 1,
          maxLength: 1200,
          tools: supportTools,
          reasoningEffort: 'low',
          verbosity: 'low',
        },
      },
    ],
    // 2.1.0 was taken back after two days.
    live: [
      [0, '2.0.0'],
      [0.24, '2.1.0'],
      [0.31, '2.0.0'],
      [0.38, '2.2.0'],
      [0.6, '3.0.0'],
    ],
    tags: [
      ['staging', '2.1.0'],
      ['staging', '2.2.0'],
      ['staging', '3.0.0'],
      ['staging', '3.1.0'],
      ['enterprise-pilot', '3.1.0'],
    ],
  },
  {
    slug: 'docs-answer',
    name: 'Help centre: answer with sources',
    featureSlug: 'docs-search',
    description: 'Answers a question from the articles found, and says which.',
    versions: [
      {
        version: '1.0.0',
        model: 'claude-sonnet',
        text: 'Answer the question from these articles.\n\n{% for doc in documents %}# {{ doc.title }}\n{{ doc.text }}\n\n{% endfor %}Question: {{ question }}',
        message: 'First version.',
        parameters: { temperature: 0.2 },
      },
      {
        version: '1.1.0',
        model: 'claude-sonnet',
        systemText:
          'You answer from the articles you are given and from nothing else. If they do not say it, say that they do not.',
        text: '{% for doc in documents %}<article id="{{ doc.id }}" title="{{ doc.title }}">\n{{ doc.text }}\n</article>\n{% endfor %}\nQuestion: {{ question }}\nName the articles you used, as [id].',
        message: 'No more invented menu entries.',
        parameters: { temperature: 0, maxLength: 700 },
      },
      {
        version: '1.2.0',
        model: 'claude-haiku',
        systemText:
          'You answer from the articles you are given and from nothing else. If they do not say it, say that they do not, and what to search for instead.',
        text: '{% for doc in documents %}<article id="{{ doc.id }}" title="{{ doc.title }}">\n{{ doc.text }}\n</article>\n{% endfor %}\nQuestion: {{ question }}\nAnswer in {{ language | default("English") }}. Name the articles you used, as [id].',
        message: 'Haiku is as faithful and three times as fast.',
        parameters: { temperature: 0, maxLength: 700 },
      },
    ],
    live: [
      [0, '1.1.0'],
      [0.72, '1.2.0'],
    ],
    tags: [
      ['staging', '1.1.0'],
      ['staging', '1.2.0'],
      ['mobile-app', '1.1.0'],
    ],
  },
  {
    slug: 'invoice-extract',
    name: 'Invoices: read',
    featureSlug: 'invoice-extraction',
    description: 'Reads a supplier invoice into fields.',
    versions: [
      {
        version: '1.0.0',
        model: 'gemini-flash',
        text: 'Extract supplier, number, date, currency, lines and total as JSON.\n\n{{ document }}',
        message: 'First version.',
        parameters: { temperature: 0, responseFormat: 'json_object' },
      },
      {
        version: '1.1.0',
        model: 'gemini-flash',
        text: 'Extract the invoice as JSON. Dates as YYYY-MM-DD, amounts as numbers with a dot.\nA missing field is null; never guess.\n\n{{ document }}',
        message: 'German decimals were read as thousands.',
        parameters: { temperature: 0, responseFormat: 'json_schema', jsonObject: invoiceSchema },
      },
      {
        version: '2.0.0',
        model: 'gemini-pro',
        text: 'Extract the invoice. Dates as YYYY-MM-DD, amounts as numbers with a dot. A missing field is null; never guess.\n{% if supplier_hint %}The sender of the mail was {{ supplier_hint }}.\n{% endif %}\n<document pages="{{ pages }}">\n{{ document }}\n</document>',
        message: 'The larger model, for scans.',
        parameters: { temperature: 0, responseFormat: 'json_schema', jsonObject: invoiceSchema },
      },
      {
        version: '2.1.0',
        model: 'gemini-flash',
        text: 'Extract the invoice. Dates as YYYY-MM-DD, amounts as numbers with a dot. A missing field is null; never guess.\n{% if supplier_hint %}The sender of the mail was {{ supplier_hint }}.\n{% endif %}\n<document pages="{{ pages }}">\n{{ document }}\n</document>\n\nCheck that quantity times price gives the amount of each line before you answer.',
        message: 'Flash again, with the check in the prompt: same accuracy, a quarter of the price.',
        parameters: { temperature: 0, responseFormat: 'json_schema', jsonObject: invoiceSchema },
      },
    ],
    live: [
      [0, '1.1.0'],
      [0.3, '2.0.0'],
      [0.55, '2.1.0'],
    ],
    tags: [
      ['staging', '2.0.0'],
      ['staging', '2.1.0'],
      ['scans', '2.0.0'],
    ],
  },
  {
    slug: 'review-diff',
    name: 'Code review: find what matters',
    featureSlug: 'code-review',
    description: 'Reads a pull request and names at most three things worth changing.',
    versions: [
      {
        version: '1.0.0',
        model: 'claude-sonnet',
        text: 'Review this diff:\n\n{{ diff }}',
        message: 'First version. Forty comments on a typo fix.',
      },
      {
        version: '1.1.0',
        model: 'claude-sonnet',
        systemText:
          'You review pull requests. Name at most three things, the worst first: bugs, then races, then what will be misread. No praise, no style.',
        text: '{{ title }}\n\n{{ description }}\n\n```diff\n{{ diff }}\n```',
        message: 'Three things at most.',
        parameters: { temperature: 0.2, maxLength: 900 },
      },
      {
        version: '2.0.0',
        model: 'fernhill-reviewer',
        systemText:
          'You review pull requests. Name at most three things, the worst first: bugs, then races, then what will be misread. No praise, no style. Answer "Looks right." when nothing is wrong.',
        text: '{{ title }}\n\n{{ description }}\n\n{% for file in files %}### {{ file.path }}\n```diff\n{{ file.diff }}\n```\n{% endfor %}',
        message: 'Our own model, trained on four years of reviews.',
        parameters: { temperature: 0.1, maxLength: 900 },
      },
    ],
    live: [
      [0, '1.1.0'],
      [0.48, '2.0.0'],
    ],
    tags: [
      ['canary', '1.1.0'],
      ['canary', '2.0.0'],
    ],
  },
  {
    slug: 'translate-product',
    name: 'Translate: product text',
    featureSlug: 'translation',
    description: 'Translates product texts; keeps names, units and markup.',
    versions: [
      {
        version: '1.0.0',
        model: 'azure-4o-mini',
        text: 'Translate into {{ target_language }}:\n\n{{ text }}',
        message: 'First version.',
        parameters: { temperature: 0.3 },
      },
      {
        version: '1.1.0',
        model: 'azure-4o-mini',
        systemText: 'You translate texts of online shops. Keep brand names, sizes and HTML tags as they are.',
        text: 'Translate from {{ source_language }} into {{ target_language }}:\n\n{{ text }}',
        message: '"Larch" is a brand, not a tree.',
        parameters: { temperature: 0.2, maxLength: 2000 },
      },
      {
        version: '1.2.0',
        model: 'mistral-large',
        systemText: 'You translate texts of online shops. Keep brand names, sizes and HTML tags as they are.',
        text: 'Translate from {{ source_language }} into {{ target_language }}{% if tone %}, in a {{ tone }} tone{% endif %}.\n{% if glossary %}Use these terms:\n{% for term in glossary %}- {{ term.source }} = {{ term.target }}\n{% endfor %}{% endif %}\n{{ text }}',
        message: 'Glossaries.',
        parameters: { temperature: 0.2, maxLength: 2000, presencePenalty: 0, frequencyPenalty: 0.1 },
      },
    ],
    live: [
      [0, '1.1.0'],
      [0.42, '1.2.0'],
    ],
    tags: [
      ['staging', '1.2.0'],
      ['marketing-de', '1.1.0'],
      ['marketing-de', '1.2.0'],
    ],
  },
  {
    slug: 'sales-plan',
    name: 'Sales: plan',
    featureSlug: 'sales-agent',
    description: 'Decides what the sales agent looks up before it writes.',
    versions: [
      {
        version: '1.0.0',
        model: 'gpt-4o',
        text: 'Lead: {{ lead | tojson }}\nWhich of search_web, crm_lookup, read_page do you need? Answer as a JSON list of steps.',
        message: 'First version.',
        parameters: { responseFormat: 'json_object' },
      },
      {
        version: '1.1.0',
        model: 'gpt-5',
        systemText: 'You plan research for a sales team. At most four steps; stop when the picture is clear.',
        text: 'Lead: {{ lead | tojson }}\n{% if notes %}Notes of the sales team: {{ notes }}\n{% endif %}Tools: search_web, crm_lookup, read_page.\nAnswer as JSON: {"steps": [{"tool": "...", "why": "..."}]}',
        message: 'Reasoning model; fewer useless searches.',
        parameters: { responseFormat: 'json_object', reasoningEffort: 'medium' },
      },
    ],
    live: [
      [0, '1.0.0'],
      [0.2, '1.1.0'],
    ],
  },
  {
    slug: 'sales-email',
    name: 'Sales: first mail',
    featureSlug: 'sales-agent',
    description: 'Writes the first mail to a lead from what the research found.',
    versions: [
      {
        version: '1.0.0',
        model: 'claude-sonnet',
        text: 'Write a sales mail to {{ contact }} at {{ company }}.',
        message: 'First version. It read like one.',
      },
      {
        version: '1.1.0',
        model: 'claude-sonnet',
        text: 'Write to {{ contact }} at {{ company }}. Facts:\n{% for fact in facts %}- {{ fact }}\n{% endfor %}\nFive sentences at most.',
        message: 'Facts.',
        parameters: { temperature: 0.7, maxLength: 400 },
      },
      {
        version: '1.2.0',
        model: 'claude-sonnet',
        systemText:
          'You write like a person who has run a warehouse. No superlatives, no exclamation marks, one question at the end.',
        text: 'To: {{ contact }} ({{ role | default("role unknown") }}), {{ company }}\n{% for fact in facts %}- {{ fact }}\n{% endfor %}\nFive sentences at most, in {{ language }}.',
        message: 'A voice.',
        parameters: { temperature: 0.7, maxLength: 400 },
      },
      {
        version: '1.3.0',
        model: 'claude-haiku',
        systemText:
          'You write like a person who has run a warehouse. No superlatives, no exclamation marks, one question at the end.',
        text: 'To: {{ contact }} ({{ role | default("role unknown") }}), {{ company }}\n{% for fact in facts %}- {{ fact }}\n{% endfor %}\nFour sentences at most, in {{ language }}.',
        message: 'Shorter again; on trial against 1.2.0.',
        parameters: { temperature: 0.7, maxLength: 300 },
      },
    ],
    live: [
      [0, '1.1.0'],
      [0.28, '1.2.0'],
    ],
    tags: [
      ['staging', '1.3.0'],
      ['ab-test', '1.3.0'],
    ],
  },
]
