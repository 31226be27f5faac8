/** A short description of a user agent. Pure. */

const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/(?:Headless)?Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
] as const

const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
] as const

const firstOf = (list: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  list.find(([pattern]) => pattern.test(text))?.[1]

/** `Firefox on Linux`; the start of the user agent if neither is recognized. */
export function deviceOf(userAgent: string): { readonly name: string; readonly isHandheld: boolean } {
  const [browser, system] = [firstOf(browsers, userAgent), firstOf(systems, userAgent)]
  const isHandheld = system === 'iOS' || system === 'Android'
  if (browser !== undefined && system !== undefined) return { name: `${browser} on ${system}`, isHandheld }
  const name = browser ?? system ?? (userAgent.slice(0, 60) || 'Unknown device')
  return { name, isHandheld }
}
