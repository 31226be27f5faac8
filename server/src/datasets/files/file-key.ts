/** File keys. Only this service creates them, and only a string of exactly their form is accepted as one. */
import { uuidV7Pattern } from '@plumbline/contract/uuids'
import { newId } from '../../id.ts'

declare const checked: unique symbol

/** A key that was created here, or has the form of one: it contains no separator, dot or control character. */
export type FileKey = string & { readonly [checked]: true }

/** Safe: `newId` creates UUIDs of version 7. */
export const newFileKey = (now: Date): FileKey => newId(now) as FileKey

/** The string as a key; undefined if it does not have the form of one. */
export const readFileKey = (text: unknown): FileKey | undefined =>
  // Safe: the form is what the type stands for.
  typeof text === 'string' && uuidV7Pattern.test(text) ? (text as FileKey) : undefined

/** The type already says that the key was checked; code that makes a URL or path from it checks again. */
export function checkedKey(fileKey: FileKey): FileKey {
  if (readFileKey(fileKey) === undefined) throw new Error('A file key is malformed.')
  return fileKey
}
