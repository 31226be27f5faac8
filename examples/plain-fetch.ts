/** No client library: one request records the run after its end. Any language can do this. */
const { PLUMBLINE_URL = 'http://localhost:4747', PLUMBLINE_API_KEY = '' } = process.env
const { OPENAI_BASE_URL = 'https://api.openai.com/v1', OPENAI_API_KEY = '' } = process.env

async function post<Answer>(url: string, key: string, body: object): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

interface Completion {
  readonly model: string
  readonly choices: readonly { readonly message: { readonly content: string } }[]
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

const messages = [
  { role: 'system', content: 'Answer in one sentence.' },
  { role: 'user', content: 'Why is the bridge in Avignon half a bridge?' },
]

const startTime = new Date()
const completion = await post<Completion>(`${OPENAI_BASE_URL}/chat/completions`, OPENAI_API_KEY, {
  model: 'gpt-4o-mini',
  messages,
})
const endTime = new Date()
const answer = completion.choices[0]?.message.content ?? ''
console.log(answer)

const { trace } = await post<{ trace: { id: string } }>(`${PLUMBLINE_URL}/monitor/trace`, PLUMBLINE_API_KEY, {
  name: 'Plain fetch',
  input: messages.at(-1)?.content,
  output: answer,
  user: { id: 'ada', name: 'Ada' },
  startTime,
  endTime,
  logs: [
    {
      id: 'answer',
      type: 'generation',
      name: 'answer',
      input: messages,
      output: answer,
      inputTokens: completion.usage.prompt_tokens,
      outputTokens: completion.usage.completion_tokens,
      metadata: { provider: 'open-ai', model: completion.model },
      startTime,
      endTime,
    },
  ],
})
console.log(`${PLUMBLINE_URL}/app/traces/${trace.id}`)
