/** The base path of the service, which may be below a path of its host; the service writes it into the page. */

/** Empty if the service has its own host. */
export const basePath = globalThis.document?.documentElement.dataset.basePath ?? ''

export const serviceUrl = `${globalThis.location?.origin ?? ''}${basePath}`
