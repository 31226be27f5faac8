import type { Model, ModelInput } from '@plumbline/contract'

/** A model configuration with every default filled in: old clients check that these fields are there. */
export function completeModel(given: ModelInput | null | undefined): Model {
  const { temperature, topP, maxLength, responseFormat, ...others } = given?.parameters ?? {}
  const stated = Object.entries(others).filter(([, value]) => value !== null && value !== undefined)
  return {
    provider: given?.provider ?? '',
    client: given?.client ?? '',
    model: given?.model ?? '',
    version: given?.version ?? '',
    parameters: {
      temperature: temperature ?? 1,
      topP: topP ?? 1,
      maxLength: maxLength ?? 4096,
      responseFormat: responseFormat ?? 'text',
      ...Object.fromEntries(stated),
    },
  }
}

/** The model configuration of a stored version. */
export function readModel(json: string): Model {
  // Safe: `completeModel` made what the control plane stores.
  return JSON.parse(json) as Model
}
