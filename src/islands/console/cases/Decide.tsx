import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { OperatorScope } from '../../../contract/endpoint.ts'
import { Button, type ButtonLook } from '../../../design/Button.tsx'
import { classes } from '../../../design/classes.ts'
import styles from './Decide.module.css'
import { KeyHint } from './Key.tsx'
import { NeedsRole } from './NeedsRole.tsx'
import { type Shortcuts, useShortcuts } from './shortcuts.ts'
import { useOperator } from './useOperator.ts'

export interface Choice {
  /** What the button says and the opened panel is headed by: "Credit it". */
  label: string
  /** Which way it decides: by it the key that begins it, `a` for approve and `r` for reject. */
  intent?: Intent
  /** What one's roles have to open for it; who lacks it reads which role is needed. */
  scope?: OperatorScope
  /** Why it is not theirs to decide, although their roles would let them, as a sentence. */
  closed?: string | undefined
  variant?: ButtonLook['variant']
  panel: (back: () => void) => ReactNode
}

type Intent = keyof typeof KEYS

const KEYS = { approve: 'a', reject: 'r' } as const

/** What can be decided about the open thing: a button each, and then the form of the one that was pressed. */
export function Decide({ choices: all }: { choices: readonly Choice[] }) {
  const { can } = useOperator()
  const choices = all.filter(
    ({ scope, closed }) => closed === undefined && (scope === undefined || can(scope)),
  )
  const [chosen, choose] = useState<string | null>(null)
  const choice = choices.find(({ label }) => label === chosen)
  const place = useRef<HTMLDivElement>(null)
  useFocusBetween(place, choices, chosen)
  useShortcuts(choice === undefined ? shortcutsOf(choices, choose) : {}, place)
  if (choice === undefined) {
    return (
      <>
        <div ref={place} className={classes('row', choices.length > 0 && styles.choices)}>
          {choices.map(({ label, intent, variant }) => (
            <Button
              key={label}
              variant={variant ?? 'secondary'}
              aria-keyshortcuts={intent && KEYS[intent]}
              onClick={() => choose(label)}
            >
              {label}
              {intent && <KeyHint of={KEYS[intent].toUpperCase()} />}
            </Button>
          ))}
        </div>
        <WhyNot choices={all} />
      </>
    )
  }
  return (
    <div ref={place} className={styles.panel} data-deciding>
      <h3 className={styles.title} tabIndex={-1}>
        {choice.label}
      </h3>
      {choice.panel(() => choose(null))}
    </div>
  )
}

/** Why what could be decided here is not theirs to decide, each reason once. */
function WhyNot({ choices }: { choices: readonly Choice[] }) {
  const scopes = new Set(choices.flatMap(({ scope }) => scope ?? []))
  const reasons = new Set(choices.flatMap(({ closed }) => closed ?? []))
  return (
    <>
      {[...scopes].map((scope) => (
        <NeedsRole key={scope} scope={scope} />
      ))}
      {[...reasons].map((reason) => (
        <p key={reason} className="soft small">
          {reason}
        </p>
      ))}
    </>
  )
}

function shortcutsOf(choices: readonly Choice[], choose: (label: string) => void): Shortcuts {
  return Object.fromEntries(
    choices.flatMap(({ intent, label }) => (intent ? [[KEYS[intent], () => choose(label)]] : [])),
  )
}

/**
 * The focus follows: into the first field of what a button opened, or what has to be read before it is confirmed, and
 * back to that button.
 */
function useFocusBetween(
  place: React.RefObject<HTMLDivElement | null>,
  choices: readonly Choice[],
  chosen: string | null,
) {
  const wasChosen = useRef<string | null>(null)
  useLayoutEffect(() => {
    const before = wasChosen.current
    wasChosen.current = chosen
    if (before === chosen) return
    const buttonIndex = choices.findIndex(({ label }) => label === before)
    const target = chosen === null ? place.current?.children[buttonIndex] : firstOf(place.current)
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  }, [place, chosen, choices])
  // All of the form where it fits, not just its beginning.
  useEffect(() => {
    if (chosen !== null) place.current?.scrollIntoView({ block: 'nearest' })
  }, [place, chosen])
}

function firstOf(panel: HTMLElement | null): Element | null | undefined {
  return panel?.querySelector('input, select, textarea, [data-read-first]') ?? panel?.firstElementChild
}
