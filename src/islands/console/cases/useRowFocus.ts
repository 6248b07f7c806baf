import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/**
 * Moves the focus between the rows of a list, also by arrow keys. When a case closes, its row takes the focus. `move` starts
 * at the first or last row; `open` opens the row that was focused last.
 */
export function useRowFocus(list: RefObject<HTMLElement | null>, openId: string) {
  const last = useRef('')
  useEffect(() => {
    if (openId !== '') last.current = openId
    else if (last.current !== '') findRow(list.current, last.current)?.focus()
  }, [list, openId])
  const focusAdjacentRow = (by: 1 | -1) => {
    const rows = listRows(list.current)
    const at = rows.findIndex((row) => row.dataset.row === last.current)
    const row = at < 0 ? rows.at(by > 0 ? 0 : -1) : rows[at + by]
    row?.focus()
    row?.scrollIntoView({ block: 'nearest' })
    last.current = row?.dataset.row ?? last.current
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const row = event.target instanceof HTMLElement ? event.target.dataset.row : undefined
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    last.current = row
    focusAdjacentRow(event.key === 'ArrowDown' ? 1 : -1)
  })
  useEffect(() => {
    const place = list.current
    const handleKey = (event: KeyboardEvent) => onKey(event)
    place?.addEventListener('keydown', handleKey)
    return () => place?.removeEventListener('keydown', handleKey)
  }, [list])
  return { move: focusAdjacentRow, open: () => findRow(list.current, last.current)?.click() }
}

function listRows(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
}

function findRow(list: HTMLElement | null, id: string): HTMLElement | undefined {
  return listRows(list).find((row) => row.dataset.row === id)
}
