/** The Vercel AI SDK with a wrapped model: each step of the agent is recorded, while the text streams to the caller. */
import { createOpenAI } from '@ai-sdk/openai'
import { createClient } from '@plumbline/sdk'
import { wrapModel } from '@plumbline/sdk/ai-sdk'
import { stepCountIs, streamText, tool } from 'ai'
import { z } from 'zod'

// The client reads PLUMBLINE_URL and PLUMBLINE_API_KEY itself.
const plumbline = createClient()
// The provider does the same with OPENAI_BASE_URL and OPENAI_API_KEY.
const model = wrapModel(createOpenAI()('gpt-4o-mini'), { plumbline })

const prompt = 'What is the weather in Lyon?'
await plumbline.trace({ name: 'AI SDK', input: prompt }, async (trace) => {
  const getWeather = tool({
    description: 'The weather in a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: (input) =>
      trace.tool({ name: 'getWeather', input }, async () => `18 degrees and sunny in ${input.city}.`),
  })
  const { textStream, text } = streamText({ model, prompt, tools: { getWeather }, stopWhen: stepCountIs(5) })
  for await (const part of textStream) process.stdout.write(part)
  return text
})
process.stdout.write('\n')

await plumbline.close()
