import { useEffect, useRef, useState } from 'react'

/**
 * A value of the address that a person changes faster than the address follows: typed text, or rows passed with a
 * key held down. The screen shows it at once, and the address gets it at a pause; any other change of the address (back, a link) wins.
 */
export function useAhead<Value>(
  routeValue: Value,
  onChange: (value: Value) => void,
  pauseMs: number,
): readonly [Value, (value: Value) => void] {
  const [value, setValue] = useState(routeValue)
  const reported = useRef(routeValue)
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    if (routeValue === reported.current) return
    reported.current = routeValue
    setValue(routeValue)
  }, [routeValue])
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
