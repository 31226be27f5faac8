/** From `low` to `high`, both included. */
export interface Interval {
  readonly low: number
  readonly high: number
}
