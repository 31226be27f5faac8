/**
 * The path below which a proxy serves the service, such as `/plumbline`. It is that of PLUMBLINE_PUBLIC_URL; what leads
 * back to the service begins with it. Requests may have it or not: some proxies remove it.
 */

/** Empty where the service has a host of its own. */
export const basePathOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')

/** The address of a request as the routes know it. */
export function withoutBasePath(address: string, basePath: string): string {
  if (!address.startsWith(basePath)) return address
  const rest = address.slice(basePath.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : address
}
