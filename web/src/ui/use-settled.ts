import { useEffect, useState } from 'react'

const pauseMs = 300

/** A JSON value, debounced, so that not every keystroke sends a request. */
export function useSettled<Value>(value: Value): Value {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  // Safe: it is the JSON of such a value; that of undefined is undefined.
  return (settled === undefined ? undefined : JSON.parse(settled)) as Value
}
