/** The effect of removing items from a queue, in words. Pure. */
import type { AnnotationItem } from '@plumbline/sdk'
import { exactNumber } from '../ui/text/format.ts'

/** Of the selected items, those to remove, and what to know before that. */
export interface Removal {
  readonly going: readonly AnnotationItem[]
  /** How many of those a person is working on. */
  readonly held: number
  /** How many stay, since they have scores. */
  readonly staying: number
}

export function removalOf(chosen: readonly AnnotationItem[]): Removal {
  const has = (item: AnnotationItem, status: string): boolean =>
    item.turns.some((turn) => turn.status === status)
  const going = chosen.filter((item) => !item.isDone && !has(item, 'judged'))
  return {
    going,
    held: going.filter((item) => has(item, 'held')).length,
    staying: chosen.length - going.length,
  }
}

export const itemsInWords = (count: number): string =>
  `${exactNumber(count)} ${count === 1 ? 'item' : 'items'}`

/** Why some of those chosen stay; undefined when none does. */
export function stayingWords(staying: number): string | undefined {
  if (staying === 0) return undefined
  return staying === 1
    ? '1 item stays because it has been annotated.'
    : `${exactNumber(staying)} items stay because they have been annotated.`
}

/** What happens, a sentence or two for each thing to know. */
export function removalWords({ going, held, staying }: Removal): readonly string[] {
  const it = going.length === 1
  const stays = stayingWords(staying)
  return [
    it
      ? 'It will no longer be assigned to anyone, and the automatic feed will not add it again. Its trace is kept.'
      : 'They will no longer be assigned to anyone, and the automatic feed will not add them again. Their traces are kept.',
    ...(held === 0
      ? []
      : [
          `Somebody is at ${it ? 'it' : `${exactNumber(held)} of them`} right now. Who submits it then is told so, and keeps what was typed.`,
        ]),
    ...(stays === undefined ? [] : [stays]),
  ]
}
