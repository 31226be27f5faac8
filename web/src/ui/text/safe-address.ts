/** The URLs in foreign text that may be followed or shown. Pure. */

import { fileAddress } from '../files/file-address.ts'

const linkSchemes = new Set(['http:', 'https:', 'mailto:'])

/** The URL of a permitted link, or undefined. A relative URL would lead into this app, and is rejected. */
export function safeLink(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  return linkSchemes.has(new URL(address).protocol) ? address : undefined
}

/**
 * The URL of a permitted image, or undefined: embedded in the text, or a file of this service. SVG is rejected as a
 * document.
 */
export function safeImage(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  if (/^data:image\/(png|jpeg|gif|webp|avif);base64,/i.test(address)) return address
  return serviceFile(address)
}

/** A file of this service. */
export const serviceFile = (address: string): string | undefined =>
  /^\/files\/[\w%.-]+$/.test(address) ? fileAddress(address) : undefined
