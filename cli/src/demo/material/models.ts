/** Models by the names that prompts and logs give them, and how they behave. */

export interface DemoModel {
  readonly provider: string
  readonly client: string
  readonly model: string
  readonly version: string
  readonly firstTokenMs: number
  readonly tokensPerSecond: number
  /** How the maker reports usage. */
  readonly usage: 'open-ai' | 'anthropic' | 'gemini'
  /** Share of calls that fail while the makers have trouble. */
  readonly failsInTrouble: number
}

const openAi = { provider: 'open-ai', client: 'open-ai', usage: 'open-ai', failsInTrouble: 0.42 } as const
const anthropic = {
  provider: 'anthropic',
  client: 'anthropic',
  usage: 'anthropic',
  failsInTrouble: 0.12,
} as const
const gemini = { provider: 'gemini', client: 'gemini', usage: 'gemini', failsInTrouble: 0.03 } as const
/** Everyone else speaks OpenAI's protocol. */
const other = { usage: 'open-ai', failsInTrouble: 0.03 } as const

export const models = {
  'gpt-4o': { ...openAi, model: 'gpt-4o', version: '2024-11-20', firstTokenMs: 520, tokensPerSecond: 82 },
  'gpt-5-mini': {
    ...openAi,
    model: 'gpt-5-mini',
    version: '2025-08-07',
    firstTokenMs: 680,
    tokensPerSecond: 118,
  },
  'gpt-5': { ...openAi, model: 'gpt-5', version: '2025-08-07', firstTokenMs: 2100, tokensPerSecond: 64 },
  'gpt-4.1-mini': {
    ...openAi,
    model: 'gpt-4.1-mini',
    version: '2025-04-14',
    firstTokenMs: 390,
    tokensPerSecond: 96,
  },
  'claude-sonnet': {
    ...anthropic,
    model: 'claude-sonnet-4-5',
    version: '20250929',
    firstTokenMs: 940,
    tokensPerSecond: 71,
  },
  'claude-haiku': {
    ...anthropic,
    model: 'claude-haiku-4-5',
    version: '20251001',
    firstTokenMs: 460,
    tokensPerSecond: 140,
  },
  'gemini-flash': {
    ...gemini,
    model: 'gemini-2.5-flash',
    version: '001',
    firstTokenMs: 350,
    tokensPerSecond: 190,
  },
  'gemini-pro': {
    ...gemini,
    model: 'gemini-2.5-pro',
    version: '001',
    firstTokenMs: 1700,
    tokensPerSecond: 88,
  },
  'mistral-large': {
    ...other,
    provider: 'mistral',
    client: 'mistral',
    model: 'mistral-large-latest',
    version: 'latest',
    firstTokenMs: 480,
    tokensPerSecond: 60,
  },
  'mistral-small': {
    ...other,
    provider: 'mistral',
    client: 'mistral',
    model: 'mistral-small-latest',
    version: 'latest',
    firstTokenMs: 260,
    tokensPerSecond: 125,
  },
  'azure-4o-mini': {
    ...other,
    provider: 'azure',
    client: 'azure',
    model: 'gpt-4o-mini',
    version: '2024-07-18',
    firstTokenMs: 410,
    tokensPerSecond: 92,
    failsInTrouble: 0.2,
  },
  grok: {
    ...other,
    provider: 'xai',
    client: 'open-ai',
    model: 'grok-4-fast',
    version: 'latest',
    firstTokenMs: 610,
    tokensPerSecond: 150,
  },
  deepseek: {
    ...other,
    provider: 'deepseek',
    client: 'open-ai',
    model: 'deepseek-chat',
    version: 'latest',
    firstTokenMs: 900,
    tokensPerSecond: 48,
  },
  nova: {
    ...other,
    provider: 'bedrock',
    client: 'bedrock',
    model: 'amazon.nova-lite-v1:0',
    version: 'v1',
    firstTokenMs: 330,
    tokensPerSecond: 130,
  },
  embedding: {
    ...openAi,
    model: 'text-embedding-3-small',
    version: '1',
    firstTokenMs: 60,
    tokensPerSecond: 1000,
    failsInTrouble: 0.1,
  },
  /** Of the company itself: no public list has its price, so the workspace sets one. */
  'fernhill-reviewer': {
    ...other,
    provider: 'self-hosted',
    client: 'open-ai',
    model: 'fernhill-reviewer-32b',
    version: '2',
    firstTokenMs: 240,
    tokensPerSecond: 55,
  },
} as const satisfies Record<string, DemoModel>

export type ModelName = keyof typeof models
