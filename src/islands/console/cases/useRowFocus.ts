import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/**
 * Moves the focus between the rows of a list, also by arrow keys. When a case closes, its row takes the focus. `move` starts
 * at the first or last row; `open` opens the row that was focused last.
 */
export function useRowFocus(list: RefObject<HTMLElement | null>, openId: string) {
  const last = useRef('')
  useEffect(() => {
    if (openId !== '') last.current = openId
    else if (last.current !== '') rowOf(list.current, last.current)?.focus()
  }, [list, openId])
  const move = (by: 1 | -1) => {
    const rows = rowsIn(list.current)
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
    move(event.key === 'ArrowDown' ? 1 : -1)
  })
  useEffect(() => {
    const place = list.current
    const listen = (event: KeyboardEvent) => onKey(event)
    place?.addEventListener('keydown', listen)
    return () => place?.removeEventListener('keydown', listen)
  }, [list])
  return { move, open: () => rowOf(list.current, last.current)?.click() }
}

function rowsIn(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
}

function rowOf(list: HTMLElement | null, id: string): HTMLElement | undefined {
  return rowsIn(list).find((row) => row.dataset.row === id)
}
