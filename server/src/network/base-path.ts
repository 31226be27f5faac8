/**
 * The path below which a proxy serves the service, such as `/plumbline`. It is the path of PLUMBLINE_PUBLIC_URL, and URLs of
 * the service start with it. Requests may have it or not, since some proxies strip it.
 */

/** Empty if the service has a host of its own. */
export const basePathOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')

/** The URL of a request as the routes expect it. */
export function withoutBasePath(address: string, basePath: string): string {
  if (!address.startsWith(basePath)) return address
  const rest = address.slice(basePath.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : address
}
