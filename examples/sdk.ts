/** The client records what functions do while they do it: here, an answer from the documents that fit the question. */
import { createClient } from '@plumbline/sdk'

const { PLUMBLINE_URL = 'http://localhost:4747', PLUMBLINE_API_KEY = '' } = process.env
const { OPENAI_BASE_URL = 'https://api.openai.com/v1', OPENAI_API_KEY = '' } = process.env

const plumbline = createClient({ baseUrl: PLUMBLINE_URL, apiKey: PLUMBLINE_API_KEY })

const documents = [
  'Parcels leave the warehouse in Lyon before noon.',
  'Returns are free for thirty days.',
  'An invoice is sent when the parcel leaves.',
]

function search(question: string): string[] {
  const words = question.toLowerCase().match(/\p{L}{4,}/gu) ?? []
  return documents.filter((text) => words.some((word) => text.toLowerCase().includes(word)))
}

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string } }[]
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

async function complete(model: string, messages: object[]): Promise<Completion> {
  const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPENAI_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages }),
  })
  if (!response.ok) throw new Error(`The model answered ${response.status}.`)
  return (await response.json()) as Completion
}

const question = 'Where is my parcel from?'
const answer = await plumbline.trace(
  { name: 'Client', input: question, user: { id: 'ada', name: 'Ada' } },
  async (trace) => {
    const matches = await trace.retrieval({ name: 'search', input: question }, async () => search(question))
    const messages = [
      { role: 'system', content: `Answer from these documents:\n${matches.join('\n')}` },
      { role: 'user', content: question },
    ]
    const model = 'gpt-4o-mini'
    return trace.generation(
      { name: 'answer', model, provider: 'open-ai', input: messages },
      async (generation) => {
        const { choices, usage } = await complete(model, messages)
        generation.update({ inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens })
        return choices[0]?.message.content
      },
    )
  },
)
console.log(answer)

await plumbline.close()
