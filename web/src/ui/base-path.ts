/** Where the service is. It may be below a path of its host; the service writes that into the page. */

/** Empty where the service has a host of its own. */
export const basePath = globalThis.document?.documentElement.dataset.basePath ?? ''

export const serviceUrl = `${globalThis.location?.origin ?? ''}${basePath}`
