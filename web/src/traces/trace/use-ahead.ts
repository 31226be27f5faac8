import { useEffect, useRef, useState } from 'react'

/**
 * A value of the address that a person changes faster than the address follows: what is typed, rows run through with a
 * key held down. It is shown at once, and told when they pause; what the address says otherwise (back, a link) wins.
 */
export function useAhead<Value>(
  addressed: Value,
  onChange: (value: Value) => void,
  pauseMs: number,
): readonly [Value, (value: Value) => void] {
  const [value, setValue] = useState(addressed)
  const reported = useRef(addressed)
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    if (addressed === reported.current) return
    reported.current = addressed
    setValue(addressed)
  }, [addressed])
  useEffect(() => {
    if (value === reported.current) return
    const timer = setTimeout(() => {
      reported.current = value
      latest.current(value)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return [value, setValue]
}
