/** Which addresses of foreign text may be followed or shown. Pure. */

const linkSchemes = new Set(['http:', 'https:', 'mailto:'])

/** The address where a link may lead, or undefined. A relative one would lead within this page, and is none. */
export function safeLink(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  return linkSchemes.has(new URL(address).protocol) ? address : undefined
}

/** Raster images within the text itself, and files of this service. SVG is left out: it is a document. */
export const isSafeImage = (address: string): boolean =>
  /^data:image\/(png|jpeg|gif|webp|avif);base64,/i.test(address) || /^\/files\/[\w%.-]+$/.test(address)
