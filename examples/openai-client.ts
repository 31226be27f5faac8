/** The OpenAI client, wrapped once: its calls are recorded where they happen, among the tools that the model calls. */
import { createClient } from '@plumbline/sdk'
import { wrapOpenAI } from '@plumbline/sdk/openai'
import OpenAI from 'openai'

// The client reads PLUMBLINE_URL and PLUMBLINE_API_KEY itself.
const plumbline = createClient()
// OpenAI's client does the same with OPENAI_BASE_URL and OPENAI_API_KEY.
const openai = wrapOpenAI(new OpenAI(), { plumbline })

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'getWeather',
      description: 'The weather in a city.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]

const getWeather = (json: string): string => {
  const { city } = JSON.parse(json) as { city: string }
  return `18 degrees and sunny in ${city}.`
}

const question = 'What is the weather in Lyon?'
const answer = await plumbline.trace({ name: 'OpenAI client', input: question }, async (trace) => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }]
  for (;;) {
    const completion = await openai.chat.completions.create({ model: 'gpt-4o-mini', messages, tools })
    const message = completion.choices[0]?.message
    if (message?.tool_calls === undefined) return message?.content
    messages.push(message)
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue
      const { name, arguments: input } = call.function
      const content = await trace.tool({ name, input }, async () => getWeather(input))
      messages.push({ role: 'tool', tool_call_id: call.id, content })
    }
  }
})
console.log(answer)

await plumbline.close()
