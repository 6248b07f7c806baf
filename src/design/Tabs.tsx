import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import styles from './Tabs.module.css'

interface Tab {
  id: string
  label: string
  panel: ReactNode
}

export interface TabsProps {
  /** Names the tabs for screen readers. */
  label: string
  tabs: readonly [Tab, ...Tab[]]
  /** The initially open tab; the first by default. */
  initial?: string
  /** The open tab, for a parent that controls it. Requires `onSelect`. */
  selected?: string | undefined
  onSelect?: (id: string) => void
}

/** Tabs with one visible panel. Arrow keys, Home and End move between tabs (ARIA tabs pattern). */
export function Tabs({ label, tabs, initial, selected: controlledId, onSelect }: TabsProps) {
  const base = useId()
  const [ownId, setOwnId] = useState(initial ?? tabs[0].id)
  const select = onSelect ?? setOwnId
  const selectedId = controlledId ?? ownId
  const row = useRef<HTMLDivElement>(null)
  const selected = tabs.find((tab) => tab.id === selectedId) ?? tabs[0]
  const handleKeyDown = (event: KeyboardEvent) => {
    const next = findTabAfterKey(event.key, tabs.indexOf(selected), tabs.length)
    const tab = next === null ? undefined : tabs[next]
    if (next === null || !tab) return
    event.preventDefault()
    select(tab.id)
    row.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  return (
    <div className={styles.tabs}>
      <div ref={row} className={styles.row} role="tablist" aria-label={label} onKeyDown={handleKeyDown}>
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

/** The tab index that a key moves to, or null for other keys. */
export function findTabAfterKey(key: string, current: number, count: number): number | null {
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
