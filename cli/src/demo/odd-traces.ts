/** Edge cases for screens and exports: huge, empty and nameless traces, in many scripts. */
import type { Log, Trace } from '@plumbline/sdk'
import type { Calendar } from './calendar.ts'
import { makeRandom } from './random.ts'
import { writeTime } from './run.ts'
import type { PlannedTrace } from './scene.ts'

/** All edge cases, spread over the last two days of the calendar. */
export function makeOddTraces(seed: number, { startMs, endMs }: Calendar): PlannedTrace[] {
  const random = makeRandom(seed, 3)
  const odd = [
    ...[...plainTraces(), ...tracesWithOddLogs(), ...hugeTraces(random.hex)].map((body) => ({
      body,
      isOdd: false,
    })),
    ...tracesWithWarnings().map((body) => ({ body, isOdd: true })),
  ]
  const firstMs = Math.max(startMs, endMs - 2 * 86_400_000)
  return odd.map(({ body, isOdd }, index) => {
    const ms = firstMs + (endMs - firstMs) * ((index + 0.5) / odd.length)
    return { type: 'trace', scores: [], isOdd, body: withTimes(body, ms) }
  })
}

/** Adds times to a trace and its logs if they have none. */
function withTimes(body: Trace, ms: number): Trace {
  return {
    startTime: writeTime(ms),
    endTime: writeTime(ms + 1500),
    ...body,
    logs:
      body.logs?.map((log) => ({ startTime: writeTime(ms + 10), endTime: writeTime(ms + 1400), ...log })) ??
      body.logs,
  }
}

const longSentence =
  'A name that somebody made from the whole question because there was no other name at hand, and then added the order, the customer, the language and the day to it, so that it would be unique, which it is, but it has three hundred characters now and no column of any table was ever drawn with that in mind'
const longName = longSentence.slice(0, 300)

const answer = (fields: Partial<Extract<Log, { type: 'generation' }>> = {}): Log => ({
  id: 'answer',
  type: 'generation',
  name: 'answer',
  input: 'What is the capital of France?',
  output: 'Paris.',
  metadata: { provider: 'open-ai', model: 'gpt-4o' },
  ...fields,
})

function plainTraces(): Trace[] {
  return [
    {},
    {
      name: null,
      input: null,
      output: null,
      idealOutput: null,
      metadata: null,
      organization: null,
      user: null,
      experiment: null,
      logs: null,
      evaluators: null,
      evaluationConfig: null,
    },
    {
      name: longName,
      input: longName,
      output: 'Yes.',
      user: { id: 'u'.repeat(300), name: longName },
      organization: { id: 'org_long', name: longName },
    },
    {
      name: '🧑‍🚀👩‍👩‍👦🏳️‍🌈',
      input: '🤯',
      output: '😌',
      user: { id: 'usr_emoji', name: '🦊' },
      logs: [answer({ input: '🇫🇷?', output: '🗼' })],
    },
    {
      name: 'שאלה על הזמנה',
      input: 'מה קורה עם הזמנה #10233 (DHL)?',
      output: 'החבילה אצל DHL, מספר מעקב 00AB12.',
      user: { id: 'usr_rtl', name: 'נועה כהן' },
      logs: [answer({ name: 'תשובה', input: 'إلى أين وصل الطلب #10233؟', output: 'مع DHL برقم 00AB12.' })],
    },
    {
      name: '縦書きではない長い日本語の名前を持つトレース、句読点あり。',
      input: '改行\nと\tタブ',
      output: '全角スペース　と半角カナ ｱｲｳ',
      logs: [answer({ input: '吾輩は猫である。名前はまだ無い。'.repeat(40), output: '猫' })],
    },
    {
      name: '<b>bold</b> & "quotes" \\ backslash',
      input: '<img src=x onerror=alert(1)>',
      output: '{{ 7 * 7 }} $HOME %s %d',
    },
    {
      name: '   ',
      input: '',
      output: '',
      metadata: {
        '': 'an empty key',
        ' ': 'a blank one',
        'a.b.c': 'dots',
        __proto__x: 'not that',
        'key with "quotes"': true,
      },
    },
    {
      name: 'Numbers',
      input: { big: 9_007_199_254_740_991, tiny: 5e-324, negative: -0.1, list: [1, 1.5, 1e21] },
      output: [null, true, false, [], {}],
      metadata: { count: 10_000_000, ratio: 0.30000000000000004 },
    },
    { name: 'Zero and no time at all', startTime: 1_700_000_000_000, endTime: 1_700_000_000_000, logs: [] },
    {
      name: 'Old client',
      chainSlug: 'support-chat',
      user: {},
      organization: {},
      input: 'sent with chainSlug',
      output: 'ok',
    },
    { name: 'A person without an organization', user: { id: 'usr_alone', name: 'Alone' }, input: 'hi' },
  ]
}

function tracesWithOddLogs(): Trace[] {
  return [
    {
      name: 'Ten million tokens',
      // Long ago, so that it does not dwarf everything else in current charts.
      startTime: '2025-12-31T23:59:59.999999Z',
      endTime: '2026-01-01T00:14:00Z',
      logs: [answer({ inputTokens: 10_000_000, outputTokens: 250_000, cost: 27.5 })],
    },
    { name: 'Free of charge', logs: [answer({ inputTokens: 12, outputTokens: 3, cost: 0 })] },
    { name: 'Fractions of tokens', logs: [answer({ inputTokens: 12.5, outputTokens: 0.1, cost: 1e-9 })] },
    {
      name: 'A model that nobody knows',
      logs: [answer({ metadata: { provider: 'basement', model: 'llama-from-the-basement-7b-q3' } })],
    },
    {
      name: 'A log of each type, without anything',
      logs: (['span', 'function', 'tool', 'retrieval', 'event', 'generation'] as const).map((type) => ({
        id: type,
        type,
        startTime: null,
        endTime: null,
      })),
    },
    {
      name: 'Errors of every form',
      logs: [
        { id: '1', type: 'tool', name: 'text', metadata: { error: 'It broke.' } },
        {
          id: '2',
          type: 'tool',
          name: 'object',
          metadata: {
            error: {
              code: 'E42',
              stack: 'Error: It broke.\n    at work (file.ts:1:1)\n    at main (file.ts:9:3)',
            },
          },
        },
        { id: '3', type: 'tool', name: 'empty', metadata: { error: '' } },
        {
          id: '4',
          type: 'generation',
          name: 'no output',
          output: null,
          metadata: { error: { message: '🔥' } },
        },
      ],
    },
    {
      name: 'A picture in the conversation',
      logs: [
        answer({
          input: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'What is on the label?' },
                {
                  type: 'image_url',
                  image_url: {
                    url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
                  },
                },
              ],
            },
          ],
          output: 'A red dot.',
        }),
      ],
    },
  ]
}

function hugeTraces(hex: (digits: number) => string): Trace[] {
  const loop: Log[] = [{ id: 'loop', type: 'span', name: 'an agent that went round and round' }]
  for (let step = 0; step < 600; step++) {
    loop.push({
      id: `step-${step}`,
      parentId: 'loop',
      type: step % 3 === 0 ? 'tool' : 'function',
      name: `step ${step}`,
      input: { at: step },
      output: { next: step + 1 },
    })
  }
  const deep: Log[] = Array.from({ length: 60 }, (_, depth) => ({
    id: `level-${depth}`,
    ...(depth === 0 ? {} : { parentId: `level-${depth - 1}` }),
    type: 'span',
    name: `level ${depth}`,
  }))
  let nested: Record<string, unknown> = { bottom: true }
  for (let depth = 0; depth < 40; depth++) nested = { depth, inner: nested }
  return [
    { name: 'Six hundred steps', logs: loop },
    { name: 'Sixty levels', logs: deep },
    { name: 'Deep JSON', input: nested, output: { flat: true } },
    {
      name: 'A book as input',
      logs: [
        answer({
          input:
            'It was the parcel of times, it was the label of times, it was the age of returns, it was the age of refunds. '.repeat(
              2600,
            ),
          output: 'A tale of two warehouses.',
        }),
      ],
    },
    { name: 'One word of 20,000 letters', logs: [answer({ input: hex(20_000), output: 'No.' })] },
  ]
}

/** Stored with a warning: a reference does not exist, or the end is before the start. */
function tracesWithWarnings(): Trace[] {
  return [
    {
      name: 'A prompt that was never made',
      logs: [answer({ prompt: { slug: 'support-anwser', version: '1.0.0' } })],
    },
    {
      name: 'A tag that nobody carries',
      logs: [answer({ prompt: { slug: 'docs-answer', tag: 'summer-campaign' } })],
    },
    { name: 'Ended before it began', startTime: '2026-01-05T10:00:01Z', endTime: '2026-01-05T10:00:00Z' },
    {
      name: 'A parent that never came',
      logs: [{ id: 'child', parentId: 'lost', type: 'tool', name: 'orphan' }],
    },
    { name: 'An evaluator that is gone', evaluators: [{ slug: 'retired-judge' }], output: 'ok' },
  ]
}
