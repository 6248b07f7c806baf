import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import styles from './Tabs.module.css'

interface Tab {
  id: string
  label: string
  panel: ReactNode
}

export interface TabsProps {
  /** Names the row of tabs for screen readers. */
  label: string
  tabs: readonly [Tab, ...Tab[]]
  /** Which one is open at first; the first one otherwise. */
  initial?: string
  /** Which one is open, for a parent that keeps it itself, as in the address. Then give `onSelect`, too. */
  selected?: string | undefined
  onSelect?: (id: string) => void
}

/** Panels one at a time. Arrow keys, Home and End move between the tabs, as the ARIA pattern asks. */
export function Tabs({ label, tabs, initial, selected: given, onSelect }: TabsProps) {
  const base = useId()
  const [kept, keep] = useState(initial ?? tabs[0].id)
  const select = onSelect ?? keep
  const selectedId = given ?? kept
  const row = useRef<HTMLDivElement>(null)
  const selected = tabs.find((tab) => tab.id === selectedId) ?? tabs[0]
  const move = (event: KeyboardEvent) => {
    const next = tabAfterKey(event.key, tabs.indexOf(selected), tabs.length)
    const tab = next === null ? undefined : tabs[next]
    if (next === null || !tab) return
    event.preventDefault()
    select(tab.id)
    row.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  return (
    <div className={styles.tabs}>
      <div ref={row} className={styles.row} role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}-${tab.id}-tab`}
            className={styles.tab}
            aria-selected={tab === selected}
            aria-controls={`${base}-panel`}
            tabIndex={tab === selected ? 0 : -1}
            onClick={() => select(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        key={selected.id}
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${selected.id}-tab`}
        className={styles.panel}
      >
        {selected.panel}
      </div>
    </div>
  )
}

/** The index that a key leads to from `current`, or null when the key is not the row's. */
export function tabAfterKey(key: string, current: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (current + 1) % count
    case 'ArrowLeft':
      return (current - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
