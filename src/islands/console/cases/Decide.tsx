import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { OperatorScope } from '../../../contract/roles.ts'
import { Button, type ButtonLook, ButtonsWait } from '../../../design/Button.tsx'
import { joinClasses } from '../../../design/classes.ts'
import styles from './cases.module.css'
import { NeedsRole } from './OperatorScreen.tsx'
import { KeyHint, useListedKeys, useShortcuts } from './shortcuts.tsx'
import { useOperator } from './useOperator.ts'
import { useReadiness } from './useReadiness.ts'

export interface Choice {
  /** The button's label and the panel's heading: "Credit $500.00". */
  label: string
  /** The key that chooses it: `a` agrees, `r` rejects, `q` asks the investor. Defaults to its number. */
  key?: DecisionKey
  /** Operators without this scope see which role they need. */
  scope?: OperatorScope
  /** A sentence that says why this operator may not choose it, although their roles allow it. */
  closed?: string | undefined
  variant?: ButtonLook['variant']
  /** Its form is open from the start. */
  isOpen?: boolean
  /** Its panel is a button that decides at once, and stands among the other buttons. It names its key itself. */
  isAtOnce?: boolean
  /** `back` is undefined while there is no view to go back to. */
  panel: (back: (() => void) | undefined) => ReactNode
}

/** Not the keys that lead to other cases, or assign this one. */
type DecisionKey = 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'l' | 'o' | 'q' | 'r' | 's' | 't' | 'w'

const LOCKED = { isRead: false, hasMoved: () => true }
const READY = { isRead: true, hasMoved: () => true }

interface DecideProps {
  choices: readonly Choice[]
  isLocked?: boolean
  isReady?: boolean
}

/**
 * A button for each decision, then the form of the chosen decision. The form of an `isOpen` choice stands there from the
 * start, above the buttons of the others. The buttons of a newly shown case wait until it can have been read, and
 * those of a locked one until it is taken over. `isReady` turns the wait off, for
 * buttons that never follow another decision by themselves.
 */
export function Decide({ choices, isLocked = false, isReady = false }: DecideProps) {
  const readiness = useReadiness()
  return (
    <ButtonsWait value={isLocked ? LOCKED : isReady ? READY : readiness}>
      <Choices choices={choices} />
    </ButtonsWait>
  )
}

function Choices({ choices: all }: { choices: readonly Choice[] }) {
  const { can } = useOperator()
  const choices = all
    .filter(({ scope, closed }) => closed === undefined && (scope === undefined || can(scope)))
    // A label with an amount may change while its form is open.
    .map((choice, index) => ({
      ...choice,
      name: choice.key ?? choice.label,
      key: choice.key ?? `${index + 1}`,
    }))
  const [chosen, setChosen] = useState<string | null>(null)
  const choice = choices.find(({ name }) => name === chosen)
  const opened = choice === undefined ? choices.find(({ isOpen }) => isOpen) : undefined
  const others = choices.filter((option) => option !== opened)
  const container = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLDivElement>(null)
  useFocusBetween({ container, form }, chosen)
  const choose = (key: string) => {
    if (key === opened?.key) focusFirst(form.current)
    else container.current?.querySelector<HTMLElement>(`button[aria-keyshortcuts="${key}"]`)?.click()
  }
  useShortcuts(
    choice === undefined ? Object.fromEntries(choices.map(({ key }) => [key, () => choose(key)])) : {},
    container,
  )
  useListedKeys(choices)
  if (choice === undefined) {
    const buttons = (
      <div
        ref={opened ? undefined : container}
        className={joinClasses('row', others.length > 0 && opened === undefined && styles.choices)}
      >
        {others.map((option) =>
          option.isAtOnce ? (
            <Fragment key={option.name}>{option.panel(undefined)}</Fragment>
          ) : (
            <Button
              key={option.name}
              variant={option.variant ?? 'secondary'}
              aria-keyshortcuts={option.key}
              data-choice={option.name}
              onClick={() => setChosen(option.name)}
            >
              {option.label}
              <KeyHint of={option.key.toUpperCase()} />
            </Button>
          ),
        )}
      </div>
    )
    if (opened === undefined)
      return (
        <>
          {buttons}
          <ClosedReasons choices={all} />
        </>
      )
    return (
      <div ref={container} className={styles.standing}>
        <div className={styles.formTitle}>
          <h3 className={styles.panelTitle} tabIndex={-1} aria-keyshortcuts={opened.key}>
            {opened.label}
            <KeyHint of={opened.key.toUpperCase()} />
          </h3>
          <div className={styles.toForm}>
            <Button onClick={() => focusFirst(form.current)}>Go to the form</Button>
          </div>
        </div>
        <div ref={form} className={styles.opened}>
          {opened.panel(undefined)}
        </div>
        {buttons}
        <ClosedReasons choices={all} />
      </div>
    )
  }
  return (
    <div ref={container} className={styles.panel}>
      <h3 className={styles.panelTitle} tabIndex={-1}>
        {choice.label}
      </h3>
      {choice.panel(() => setChosen(null))}
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
        <NeedsRole
          key={scope}
          scope={scope}
          labels={choices.filter((choice) => choice.scope === scope).map(({ label }) => label)}
        />
      ))}
      {[...reasons].map((reason) => (
        <p key={reason} className="soft small">
          {reason}
        </p>
      ))}
    </>
  )
}

/** Moves the focus to the first field or text of the opened panel, and back to its button on closing. */
function useFocusBetween(
  { container, form }: Record<'container' | 'form', React.RefObject<HTMLDivElement | null>>,
  chosen: string | null,
) {
  const wasChosen = useRef<string | null>(null)
  useLayoutEffect(() => {
    const before = wasChosen.current
    wasChosen.current = chosen
    if (before === chosen) return
    if (chosen !== null) return focusFirst(container.current)
    const target =
      container.current?.querySelector(`[data-choice="${CSS.escape(before ?? '')}"]`) ??
      findFirstField(form.current)
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  }, [container, form, chosen])
  // Scrolls the whole form into view where it fits.
  useEffect(() => {
    if (chosen !== null) container.current?.scrollIntoView({ block: 'nearest' })
  }, [container, chosen])
}

function focusFirst(panel: HTMLElement | null): void {
  const first = findFirstField(panel)
  if (first instanceof HTMLElement) first.focus({ preventScroll: true })
  panel?.scrollIntoView({ block: 'nearest' })
}

function findFirstField(panel: HTMLElement | null): Element | null | undefined {
  return panel?.querySelector('input, select, textarea, [data-read-first]') ?? panel?.firstElementChild
}
