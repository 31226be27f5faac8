import { v7 } from 'uuid'

/**
 * A new id: the time, then a counter. Ids created by one process ascend, even within a millisecond, so that a list
 * sorted by time and id shows rows with the same time in creation order. Ids of two nodes have no such order.
 */
export function newId(): string {
  return v7()
}
