/** Features, evaluators, experiments, keys and the price override of the demo's workspace. */
import type { InputOf, operations } from '@plumbline/sdk'
import workspaceData from '../../../../fixtures/demo/workspace.json' with { type: 'json' }

export interface DemoExperiment {
  readonly name: string
  readonly featureSlug: string
  readonly dataset: string
  readonly prompt: string
  readonly version: string
  /** When it ran, as a fraction of the calendar. */
  readonly ranAt: number
  /** Fraction of the rows with a correct output. */
  readonly quality: number
}

export interface DemoKey {
  readonly name: string
  readonly scopes: InputOf<typeof operations.keys.create>['scopes']
  readonly expiresInDays?: number
  readonly isRevoked?: boolean
}

export const features: readonly InputOf<typeof operations.features.create>[] = workspaceData.features
// Safe, here and below: a test checks them against the contract.
export const evaluators = workspaceData.evaluators as readonly InputOf<typeof operations.evaluators.create>[]
export const experiments: readonly DemoExperiment[] = workspaceData.experiments
export const keys = workspaceData.keys as readonly DemoKey[]

/** The cost of the company's own model, which no public price list has. */
export const price: InputOf<typeof operations.prices.create> = workspaceData.price
