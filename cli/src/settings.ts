/** Settings from the environment; nothing else in the command line reads it. */

/** Options override these settings. */
export interface Settings {
  /** `PLUMBLINE_URL`: URL of the service. */
  readonly url: string | undefined
  /** `PLUMBLINE_API_KEY`: an API key. */
  readonly key: string | undefined
  /** The whole environment, for a service started here. */
  readonly environment: Readonly<NodeJS.ProcessEnv>
}

/** An empty variable counts as absent. */
export const readSettings = (environment: NodeJS.ProcessEnv = process.env): Settings => ({
  url: environment.PLUMBLINE_URL || undefined,
  key: environment.PLUMBLINE_API_KEY || undefined,
  environment,
})
