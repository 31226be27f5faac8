/** Which addresses of foreign text may be followed or shown. Pure. */

import { fileAddress } from '../files/file-address.ts'

const linkSchemes = new Set(['http:', 'https:', 'mailto:'])

/** The address where a link may lead, or undefined. A relative one would lead within this page, and is none. */
export function safeLink(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  return linkSchemes.has(new URL(address).protocol) ? address : undefined
}

/** Where an image is that may be shown, or undefined: in the text itself, or a file of this service. SVG is a document. */
export function safeImage(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  if (/^data:image\/(png|jpeg|gif|webp|avif);base64,/i.test(address)) return address
  return serviceFile(address)
}

/** A file of this service. */
export const serviceFile = (address: string): string | undefined =>
  /^\/files\/[\w%.-]+$/.test(address) ? fileAddress(address) : undefined
