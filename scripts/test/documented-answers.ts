/** A test must have seen every response that the contract documents. */
import { readFileSync } from 'node:fs'
import { allOperations, errors, errorsOfBody, sharedErrors } from '@plumbline/contract'

/** Documented responses that no test has to see, each with its reason. */
const exempt: Readonly<Record<number, string>> = {
  500: 'Only a bug causes this response, and a request that triggers one would lead to a fix instead.',
}

/** `prompts.get 404`, for every response that the contract documents. */
const documentedAnswers = (): Set<string> =>
  new Set(
    allOperations.flatMap((operation) => {
      const { name, success, errors: own } = operation
      const codes = [...own, ...sharedErrors, ...errorsOfBody(operation)]
      const statuses = [success, ...codes.map((code) => errors[code].status)]
      return statuses.filter((status) => exempt[status] === undefined).map((status) => `${name} ${status}`)
    }),
  )

/** One sentence for each documented response that is missing from the file written by the endpoint tests. */
export function unseenAnswers(file: string): string[] {
  const seenAnswers = new Set(readFileSync(file, 'utf8').split('\n'))
  return [...documentedAnswers()]
    .filter((answer) => !seenAnswers.has(answer))
    .map((answer) => `No test has seen the documented response ${answer}.`)
}
