/** What the environment says: the only place of the command line that reads it. */

/** Options win over it. */
export interface Settings {
  /** `PLUMBLINE_URL`: address of the service. */
  readonly url: string | undefined
  /** `PLUMBLINE_API_KEY`: an API key. */
  readonly key: string | undefined
  /** All of it, for a service that is started here. */
  readonly environment: Readonly<NodeJS.ProcessEnv>
}

/** An empty variable counts as absent. */
export const readSettings = (environment: NodeJS.ProcessEnv = process.env): Settings => ({
  url: environment.PLUMBLINE_URL || undefined,
  key: environment.PLUMBLINE_API_KEY || undefined,
  environment,
})
