import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { OperatorScope } from '../../../contract/roles.ts'
import { Button, type ButtonLook } from '../../../design/Button.tsx'
import { classes } from '../../../design/classes.ts'
import styles from './cases.module.css'
import { NeedsRole } from './OperatorScreen.tsx'
import { KeyHint, type Shortcuts, useShortcuts } from './shortcuts.tsx'
import { useOperator } from './useOperator.ts'

export interface Choice {
  /** The button's label and the panel's heading: "Credit $500.00". */
  label: string
  /** Assigns a shortcut: `a` to approve, `r` to reject. */
  intent?: keyof typeof KEYS
  /** Operators without this scope see which role they need. */
  scope?: OperatorScope
  /** A sentence that says why this operator may not choose it, although their roles allow it. */
  closed?: string | undefined
  variant?: ButtonLook['variant']
  panel: (back: () => void) => ReactNode
}

const KEYS = { approve: 'a', reject: 'r' } as const

/** A button for each decision, then the form of the chosen decision. */
export function Decide({ choices: all }: { choices: readonly Choice[] }) {
  const { can } = useOperator()
  const choices = all.filter(
    ({ scope, closed }) => closed === undefined && (scope === undefined || can(scope)),
  )
  const [chosen, choose] = useState<string | null>(null)
  const choice = choices.find((each) => nameOf(each) === chosen)
  const container = useRef<HTMLDivElement>(null)
  useFocusBetween(container, choices, chosen)
  useShortcuts(choice === undefined ? shortcutsOf(choices, choose) : {}, container)
  if (choice === undefined) {
    return (
      <>
        <div ref={container} className={classes('row', choices.length > 0 && styles.choices)}>
          {choices.map((each) => (
            <Button
              key={nameOf(each)}
              variant={each.variant ?? 'secondary'}
              aria-keyshortcuts={each.intent && KEYS[each.intent]}
              onClick={() => choose(nameOf(each))}
            >
              {each.label}
              {each.intent && <KeyHint of={KEYS[each.intent].toUpperCase()} />}
            </Button>
          ))}
        </div>
        <ClosedReasons choices={all} />
      </>
    )
  }
  return (
    <div ref={container} className={styles.panel} data-deciding>
      <h3 className={styles.panelTitle} tabIndex={-1}>
        {choice.label}
      </h3>
      {choice.panel(() => choose(null))}
    </div>
  )
}

/** Why this operator may not choose some decisions, each reason once. */
function ClosedReasons({ choices }: { choices: readonly Choice[] }) {
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

/** Names a choice. A label with an amount may change while its form is open. */
function nameOf({ intent, label }: Choice): string {
  return intent ?? label
}

function shortcutsOf(choices: readonly Choice[], choose: (name: string) => void): Shortcuts {
  return Object.fromEntries(
    choices.flatMap(({ intent }) => (intent ? [[KEYS[intent], () => choose(intent)]] : [])),
  )
}

/** Moves the focus to the first field or text of the opened panel, and back to its button on closing. */
function useFocusBetween(
  container: React.RefObject<HTMLDivElement | null>,
  choices: readonly Choice[],
  chosen: string | null,
) {
  const wasChosen = useRef<string | null>(null)
  useLayoutEffect(() => {
    const before = wasChosen.current
    wasChosen.current = chosen
    if (before === chosen) return
    const buttonIndex = choices.findIndex((each) => nameOf(each) === before)
    const target = chosen === null ? container.current?.children[buttonIndex] : firstOf(container.current)
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  }, [container, chosen, choices])
  // Scrolls the whole form into view where it fits.
  useEffect(() => {
    if (chosen !== null) container.current?.scrollIntoView({ block: 'nearest' })
  }, [container, chosen])
}

function firstOf(panel: HTMLElement | null): Element | null | undefined {
  return panel?.querySelector('input, select, textarea, [data-read-first]') ?? panel?.firstElementChild
}
