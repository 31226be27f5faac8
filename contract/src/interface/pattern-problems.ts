/** Describes what is wrong with a text that does not match a pattern of the contract. */

import { emailPattern } from '../accounts/invitations.ts'
import { mediaTypePattern } from '../evaluate/files.ts'
import { slugPattern } from './shapes.ts'

/** By pattern: the end of a sentence that begins with the field. */
export const patternProblems: Readonly<Record<string, string>> = {
  [slugPattern]:
    'must be 1 to 128 characters of a-z, 0-9, dot, underscore and hyphen, the first a letter or a digit',
  [mediaTypePattern]: 'must be a media type, such as image/png',
  [emailPattern]: 'must be an e-mail address, such as ada@example.com',
}

/** For every other pattern. */
export const otherPatternProblem = 'must not contain spaces or control characters'
