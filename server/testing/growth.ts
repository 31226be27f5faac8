/**
 * How many times as long work takes for a text that is sixteen times as long, in time of the CPU: 16 times where it is
 * linear, and 256 times where it is quadratic. The shortest of three attempts counts.
 */
export function growthOf(work: (length: number) => void, length: number): number {
  const timeOf = (each: number): number => {
    const times = Array.from({ length: 3 }, () => {
      const start = process.cpuUsage()
      work(each)
      const { user, system } = process.cpuUsage(start)
      return user + system
    })
    return Math.min(...times)
  }
  work(length / 40)
  return timeOf(length) / Math.max(timeOf(length / 16), 1000)
}

/** Between the two, with room for a machine that does something else as well. */
export const linearGrowthMax = 80
