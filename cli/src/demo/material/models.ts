/** Models by the names that prompts and logs use for them, with their speed and reliability. */
import modelData from '../../../../fixtures/demo/models.json' with { type: 'json' }

export interface DemoModel {
  readonly provider: string
  readonly client: string
  readonly model: string
  readonly version: string
  readonly firstTokenMs: number
  readonly tokensPerSecond: number
  /** The provider's format of token usage. */
  readonly usage: 'open-ai' | 'anthropic' | 'gemini'
  /** Probability that a call fails during the incident. */
  readonly failsInTrouble: number
}

export type ModelName = keyof typeof modelData

// Safe: a test checks the usage formats.
export const models = modelData as Readonly<Record<ModelName, DemoModel>>
