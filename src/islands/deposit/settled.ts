import { useEffect, useState } from 'react'

/** The value once it has not changed for `ms` milliseconds; null until then. */
export function useSettled(value: string | null, ms: number): string | null {
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled === value ? settled : null
}
