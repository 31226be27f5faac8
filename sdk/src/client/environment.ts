/** Settings from environment variables. Options take precedence. */
import { environmentVariables } from './platform.ts'

export interface EnvironmentSettings {
  readonly baseUrl: string
  readonly apiKey?: string
  readonly enabled?: boolean
  readonly featureSlug?: string
  readonly environment?: string
  readonly release?: string
}

const defaultUrl = 'http://localhost:4747'

/** The client's environment variables, which are the same for the Python client. */
export function readEnvironment(): EnvironmentSettings {
  const variables = environmentVariables()
  const text = (name: string): string | undefined => variables[name]?.trim() || undefined
  const enabled = text('PLUMBLINE_ENABLED')?.toLowerCase()
  const settings = {
    apiKey: text('PLUMBLINE_API_KEY'),
    enabled: enabled === undefined ? undefined : !['0', 'false', 'no', 'off'].includes(enabled),
    featureSlug: text('PLUMBLINE_FEATURE'),
    environment: text('PLUMBLINE_ENVIRONMENT'),
    release: text('PLUMBLINE_RELEASE'),
  }
  const present = Object.entries(settings).filter(([, value]) => value !== undefined)
  return { baseUrl: text('PLUMBLINE_URL') ?? defaultUrl, ...Object.fromEntries(present) }
}
