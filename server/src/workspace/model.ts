import type { Model, ModelInput } from '@plumbline/contract'

/** A model configuration with every default filled in: old clients check that these fields are there. */
export function completeModel(input: ModelInput | null | undefined): Model {
  const { temperature, topP, maxLength, responseFormat, ...others } = input?.parameters ?? {}
  const parameters = Object.entries(others).filter(([, value]) => value !== null && value !== undefined)
  return {
    provider: input?.provider ?? '',
    client: input?.client ?? '',
    model: input?.model ?? '',
    version: input?.version ?? '',
    parameters: {
      temperature: temperature ?? 1,
      topP: topP ?? 1,
      maxLength: maxLength ?? 4096,
      responseFormat: responseFormat ?? 'text',
      ...Object.fromEntries(parameters),
    },
  }
}

/** The model configuration of a stored version. */
export function readModel(json: string): Model {
  // Safe: `completeModel` made what the control plane stores.
  return JSON.parse(json) as Model
}
