import { useEffect, useRef, useState } from 'react'

/**
 * A URL value that changes faster than the URL should: typed text, or rows passed with a key held down. The screen
 * shows it at once, and the URL is updated at a pause; any other change of the URL (back, a link) wins.
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
