import { v7 } from 'uuid'

/**
 * A new id: the time, then a counter. Ids that one process makes ascend, also within a millisecond, so that a list by
 * time and id shows rows of one moment in the order in which they were made. Ids of two nodes have no such order.
 */
export function newId(): string {
  return v7()
}
