import { useEffect, useRef } from 'react'

/**
 * Takes whoever asked for more to the first of the rows that came: the button that was pressed stands under them now, or
 * is gone. `expect` is called with the press.
 */
export function useFocusOnAdded(count: number) {
  const ref = useRef<HTMLDivElement>(null)
  const before = useRef<number | null>(null)
  useEffect(() => {
    if (before.current === null || count === before.current) return
    const row = count > before.current ? ref.current?.querySelectorAll('tbody tr')[before.current] : null
    before.current = null
    row?.querySelector('button')?.focus()
  }, [count])
  return {
    ref,
    expect: () => {
      before.current = count
    },
  }
}
