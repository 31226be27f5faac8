/** The client records functions while they run: here, an answer from the documents that match the question. */
import { createClient } from '@plumbline/sdk'
import OpenAI from 'openai'

// The client reads PLUMBLINE_URL and PLUMBLINE_API_KEY itself, and OpenAI's client its own variables.
const plumbline = createClient()
const openai = new OpenAI()

const documents = [
  'Parcels leave the warehouse in Lyon before noon.',
  'Returns are free for thirty days.',
  'An invoice is sent when the parcel leaves.',
]

function search(question: string): string[] {
  const words = question.toLowerCase().match(/\p{L}{4,}/gu) ?? []
  return documents.filter((text) => words.some((word) => text.toLowerCase().includes(word)))
}

const question = 'Where is my parcel from?'
const answer = await plumbline.trace(
  { name: 'Client', input: question, user: { id: 'ada', name: 'Ada' } },
  async (trace) => {
    const matches = await trace.retrieval({ name: 'search', input: question }, async () => search(question))
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: `Answer from these documents:\n${matches.join('\n')}` },
      { role: 'user', content: question },
    ]
    const model = 'gpt-4o-mini'
    return trace.generation(
      { name: 'answer', model, provider: 'open-ai', input: messages },
      async (generation) => {
        const { choices, usage } = await openai.chat.completions.create({ model, messages })
        generation.update({ inputTokens: usage?.prompt_tokens, outputTokens: usage?.completion_tokens })
        return choices[0]?.message.content
      },
    )
  },
)
console.log(answer)

await plumbline.close()
