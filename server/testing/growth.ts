/**
 * How many times longer work takes for a text that is sixteen times as long, in CPU time: 16 times if it is linear, and 256
 * times if it is quadratic. The shortest of three attempts counts.
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

/** Between the two, with room for other work on the same machine. */
export const linearGrowthMax = 80
