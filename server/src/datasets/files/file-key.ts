/** Keys of files. Only this service makes them, and only a text of exactly their form becomes one. */
import { uuidV7Pattern } from '@plumbline/contract/uuids'
import { newId } from '../../id.ts'

declare const checked: unique symbol

/** A key that was made here, or has the form of one: it holds no separator, no dot and no control character. */
export type FileKey = string & { readonly [checked]: true }

/** Safe: `newId` makes UUIDs of version 7. */
export const newFileKey = (now: Date): FileKey => newId(now) as FileKey

/** The key that a text is; undefined for anything of another form. */
export const readFileKey = (text: unknown): FileKey | undefined =>
  // Safe: the form is what the type stands for.
  typeof text === 'string' && uuidV7Pattern.test(text) ? (text as FileKey) : undefined

/** The type says that a key was checked; what makes an address or a path of it looks again. */
export function checkedKey(fileKey: FileKey): FileKey {
  if (readFileKey(fileKey) === undefined) throw new Error('A file key does not have the form of one.')
  return fileKey
}
