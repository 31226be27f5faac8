/** The prompts of the workspace: every version as somebody might have written it, and how their tags moved. */
import type { ModelInput } from '@plumbline/sdk'
import type { ModelName } from './models.ts'
import { longPrompts } from './prompts-long.ts'

export interface DemoVersion {
  readonly version: string
  readonly model: ModelName
  readonly systemText?: string
  readonly text: string
  readonly message: string
  readonly parameters?: NonNullable<ModelInput['parameters']>
}

export interface DemoPrompt {
  readonly slug: string
  readonly name: string
  readonly featureSlug: string
  readonly description: string
  readonly versions: readonly DemoVersion[]
  /** From which share of the calendar on which version was in production. Empty for a draft. */
  readonly live: readonly (readonly [share: number, version: string])[]
  /** Moves of other tags, in their order. */
  readonly tags?: readonly (readonly [tag: string, version: string])[]
}

export const prompts: readonly DemoPrompt[] = [
  ...longPrompts,
  {
    slug: 'support-triage',
    name: 'Support: triage',
    featureSlug: 'support-chat',
    description: 'Sorts a new conversation by topic and urgency before anyone answers it.',
    versions: [
      {
        version: '1.0.0',
        model: 'gpt-4.1-mini',
        text: 'Classify this message from a merchant into one of: order, shipping, refund, billing, account, integration, other.\n\nMessage:\n{{ message }}',
        message: 'First version.',
        parameters: { temperature: 0, maxLength: 20 },
      },
      {
        version: '1.1.0',
        model: 'gpt-4.1-mini',
        text: 'Classify this message from a merchant.\n\nMessage ({{ language }}):\n{{ message }}\n\nAnswer with JSON: {"topic": "order|shipping|refund|billing|account|integration|other", "urgent": true|false}',
        message: 'Urgency, so that a stopped warehouse does not wait behind a typo.',
        parameters: { temperature: 0, maxLength: 60, responseFormat: 'json_object' },
      },
      {
        version: '1.2.0',
        model: 'mistral-small',
        text: 'Classify this message from a merchant.\n\nMessage ({{ language }}):\n{{ message }}\n{% if previous_topic %}\nThe conversation was about: {{ previous_topic }}\n{% endif %}\nAnswer with JSON: {"topic": "order|shipping|refund|billing|account|integration|other", "urgent": true|false}',
        message: 'Half the price on a smaller model, and it knows the topic before.',
        parameters: { temperature: 0, maxLength: 60, responseFormat: 'json_object' },
      },
    ],
    live: [
      [0, '1.1.0'],
      [0.5, '1.2.0'],
    ],
    tags: [['staging', '1.2.0']],
  },
  {
    slug: 'support-summary',
    name: 'Support: summary for hand-over',
    featureSlug: 'support-chat',
    description: 'What a colleague needs to know who takes a conversation over.',
    versions: [
      {
        version: '1.0.0',
        model: 'gpt-4.1-mini',
        text: 'Summarise this conversation for the colleague who takes over.\n\n{% for turn in turns %}{{ turn.role }}: {{ turn.content }}\n{% endfor %}',
        message: 'First version.',
        parameters: { temperature: 0.2, maxLength: 400 },
      },
      {
        version: '1.1.0',
        model: 'claude-haiku',
        systemText: 'You write for a busy colleague: three sentences at most, facts only, no praise.',
        text: '{% for turn in turns %}{{ turn.role | upper }}: {{ turn.content }}\n{% endfor %}\nWhat does the merchant want, what was done, what is open?',
        message: 'Three sentences: the long ones were not read.',
        parameters: { temperature: 0.2, maxLength: 250 },
      },
    ],
    live: [
      [0, '1.0.0'],
      [0.35, '1.1.0'],
    ],
    tags: [['evening-shift', '1.1.0']],
  },
  {
    slug: 'docs-rewrite',
    name: 'Help centre: rewrite the query',
    featureSlug: 'docs-search',
    description: 'Turns what people type into what the help centre can find.',
    versions: [
      {
        version: '0.9.0',
        model: 'gemini-flash',
        text: 'Rewrite as a search query: {{ question }}',
        message: 'Trial.',
      },
      {
        version: '1.0.0',
        model: 'gemini-flash',
        text: 'Write one English search query of at most eight words for the help centre of an order-management system.\nKeep product names and error codes as they are.\n\nQuestion: {{ question }}\nQuery:',
        message: 'English whatever the question: the articles are.',
        parameters: { temperature: 0, maxLength: 30 },
      },
      {
        version: '1.1.0',
        model: 'gpt-5-mini',
        systemText: 'You know the help centre of an order-management system by heart.',
        text: 'Write one English search query of at most eight words.\nKeep product names and error codes as they are; leave greetings and complaints out.\n\nQuestion: {{ question }}\nQuery:',
        message: 'Complaints are no search words. Dearer, so first to a quarter.',
        parameters: { maxLength: 40, reasoningEffort: 'minimal' },
      },
    ],
    live: [[0, '1.0.0']],
  },
  {
    slug: 'invoice-check',
    name: 'Invoices: second look',
    featureSlug: 'invoice-extraction',
    description: 'Explains to the merchant why the sums of an invoice do not add up.',
    versions: [
      {
        version: '1.0.0',
        model: 'mistral-large',
        text: 'The lines of this invoice add up to {{ sum }}, but its total says {{ total }}.\n\n{{ lines | tojson }}\n\nName the likeliest reason in one sentence.',
        message: 'First version.',
        parameters: { temperature: 0.1, maxLength: 120 },
      },
      {
        version: '1.1.0',
        model: 'mistral-large',
        text: 'The lines of this invoice add up to {{ sum }} {{ currency }}, but its total says {{ total }} {{ currency }}.\n\n{% for line in lines %}- {{ line.description }}: {{ line.amount }}\n{% endfor %}\nName the likeliest reason in one sentence, and say what the merchant should check.',
        message: 'Say what to do about it.',
        parameters: { temperature: 0.1, maxLength: 160 },
      },
    ],
    live: [
      [0, '1.0.0'],
      [0.4, '1.1.0'],
    ],
    tags: [
      ['staging', '1.1.0'],
      ['accounting-pilot', '1.0.0'],
      ['accounting-pilot', '1.1.0'],
    ],
  },
  {
    slug: 'review-summary',
    name: 'Code review: summary for the changelog',
    featureSlug: 'code-review',
    description:
      'A sentence for users about a merged change. Not in production: the team is not sure it wants it.',
    versions: [
      {
        version: '0.1.0',
        model: 'deepseek',
        text: 'Write one changelog sentence for users about this change:\n\n{{ title }}\n\n{{ diff }}',
        message: 'An idea from the retrospective.',
      },
      {
        version: '0.2.0',
        model: 'deepseek',
        systemText: 'You write release notes. Say what users can do now, never how it was built.',
        text: '{{ title }}\n\n{% if description %}{{ description }}\n\n{% endif %}{{ diff }}',
        message: 'Users, not modules.',
        parameters: { temperature: 0.4, maxLength: 90 },
      },
    ],
    live: [],
    tags: [['staging', '0.2.0']],
  },
  {
    slug: 'sales-research',
    name: 'Sales: research a company',
    featureSlug: 'sales-agent',
    description: 'What is worth knowing of a company before the first mail.',
    versions: [
      {
        version: '1.0.0',
        model: 'grok',
        text: 'Company: {{ company }}\nPages found:\n{% for page in pages %}[{{ loop.index }}] {{ page.title }}\n{{ page.text }}\n\n{% endfor %}List three facts that matter for selling order management to them, each with its page number.',
        message: 'First version.',
        parameters: { temperature: 0.3, maxLength: 500 },
      },
      {
        version: '1.1.0',
        model: 'nova',
        text: 'Company: {{ company }} ({{ industry | default("industry unknown") }})\nPages found:\n{% for page in pages %}[{{ loop.index }}] {{ page.title }}\n{{ page.text }}\n\n{% endfor %}List at most three facts that matter for selling order management to them, each with its page number. If a page is about another company of the same name, say so.',
        message: 'It mixed up two companies called Alder.',
        parameters: { temperature: 0.2, maxLength: 500 },
      },
    ],
    live: [
      [0, '1.0.0'],
      [0.66, '1.1.0'],
    ],
    tags: [['emea', '1.0.0']],
  },
]

/** The version in production when so much of the calendar had passed. */
export function servedVersion(slug: string, passed: number): DemoVersion {
  const { live } = promptOf(slug)
  return versionOf(slug, (live.findLast(([from]) => from <= passed) ?? live[0])?.[1])
}

/** The version that carries a tag now. */
export const taggedVersion = (slug: string, tag: string): DemoVersion =>
  versionOf(slug, promptOf(slug).tags?.findLast(([label]) => label === tag)?.[1])

export function versionOf(slug: string, name: string | undefined): DemoVersion {
  const version = promptOf(slug).versions.find(({ version }) => version === name)
  if (version === undefined) throw new Error(`The demo's prompt "${slug}" has no version ${name}.`)
  return version
}

function promptOf(slug: string): DemoPrompt {
  const prompt = prompts.find((known) => known.slug === slug)
  if (prompt === undefined) throw new Error(`The demo has no prompt "${slug}".`)
  return prompt
}
