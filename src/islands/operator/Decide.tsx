import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Button, type ButtonLook } from '../../design/Button.tsx'
import styles from './Decide.module.css'

export interface Choice {
  /** What the button says and the opened panel is headed by: "Credit it". */
  label: string
  variant?: ButtonLook['variant']
  panel: (back: () => void) => ReactNode
}

/** What can be decided about the open thing: a button each, and then the form of the one that was pressed. */
export function Decide({ choices }: { choices: readonly Choice[] }) {
  const [chosen, choose] = useState<string | null>(null)
  const choice = choices.find(({ label }) => label === chosen)
  const place = useRef<HTMLDivElement>(null)
  const wasChosen = useRef<string | null>(null)
  // The focus follows: into what a button opened, and back to that button.
  useLayoutEffect(() => {
    const before = wasChosen.current
    wasChosen.current = chosen
    if (before === chosen) return
    const buttonIndex = choices.findIndex(({ label }) => label === before)
    const target = chosen === null ? place.current?.children[buttonIndex] : place.current?.firstElementChild
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
    // All of the form where it fits, not just its heading.
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen, choices])
  if (choice === undefined) {
    return (
      <div ref={place} className="row">
        {choices.map(({ label, variant }) => (
          <Button key={label} variant={variant ?? 'secondary'} onClick={() => choose(label)}>
            {label}
          </Button>
        ))}
      </div>
    )
  }
  return (
    <div ref={place} className={styles.panel}>
      <h3 className={styles.title} tabIndex={-1}>
        {choice.label}
      </h3>
      {choice.panel(() => choose(null))}
    </div>
  )
}
