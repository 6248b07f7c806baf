import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { OperatorScope } from '../../../contract/roles.ts'
import { Button, type ButtonLook, ButtonsWait } from '../../../design/Button.tsx'
import { joinClasses } from '../../../design/classes.ts'
import styles from './cases.module.css'
import { NeedsRole } from './OperatorScreen.tsx'
import { KeyHint, type Shortcuts, useShortcuts } from './shortcuts.tsx'
import { useOperator } from './useOperator.ts'
import { useReadiness } from './useReadiness.ts'

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
  /** Its form is open from the start. */
  isOpen?: boolean
  /** Its panel is a button that decides at once, and stands among the other buttons. */
  isAtOnce?: boolean
  /** `back` is undefined while there is no view to go back to. */
  panel: (back: (() => void) | undefined) => ReactNode
}

const KEYS = { approve: 'a', reject: 'r' } as const

/**
 * A button for each decision, then the form of the chosen decision. The form of an `isOpen` choice stands there from the
 * start, above the buttons of the others. The buttons of a newly shown case wait until it can have been read.
 */
export function Decide(props: { choices: readonly Choice[] }) {
  const readiness = useReadiness()
  return (
    <ButtonsWait value={readiness}>
      <Choices {...props} />
    </ButtonsWait>
  )
}

function Choices({ choices: all }: { choices: readonly Choice[] }) {
  const { can } = useOperator()
  const choices = all.filter(
    ({ scope, closed }) => closed === undefined && (scope === undefined || can(scope)),
  )
  const [chosen, choose] = useState<string | null>(null)
  const [isTouched, setTouched] = useState(false)
  const choice = choices.find((option) => getChoiceName(option) === chosen)
  const opened = choice === undefined ? choices.find(({ isOpen }) => isOpen) : undefined
  const others = choices.filter((option) => option !== opened)
  const container = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLDivElement>(null)
  useFocusBetween({ container, form }, others, chosen)
  const handleChoice = (name: string) => {
    if (opened === undefined || name !== getChoiceName(opened)) return choose(name)
    focusFirst(form.current)
  }
  useShortcuts(choice === undefined ? buildShortcuts(choices, handleChoice) : {}, container)
  if (choice === undefined) {
    const buttons = (
      <div
        ref={opened ? undefined : container}
        className={joinClasses('row', others.length > 0 && opened === undefined && styles.choices)}
      >
        {others.map((option) =>
          option.isAtOnce ? (
            <Fragment key={getChoiceName(option)}>{option.panel(undefined)}</Fragment>
          ) : (
            <Button
              key={getChoiceName(option)}
              variant={option.variant ?? 'secondary'}
              aria-keyshortcuts={option.intent && KEYS[option.intent]}
              data-choice={getChoiceName(option)}
              onClick={() => choose(getChoiceName(option))}
            >
              {option.label}
              {option.intent && <KeyHint of={KEYS[option.intent].toUpperCase()} />}
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
      <div ref={container} className={styles.panel}>
        {/* Another case must not replace this one once something was typed. */}
        <div
          ref={form}
          className={styles.opened}
          onInput={() => setTouched(true)}
          data-deciding={isTouched || undefined}
        >
          <h3
            className={styles.panelTitle}
            tabIndex={-1}
            aria-keyshortcuts={opened.intent && KEYS[opened.intent]}
          >
            {opened.label}
            {opened.intent && <KeyHint of={KEYS[opened.intent].toUpperCase()} />}
          </h3>
          {opened.panel(undefined)}
        </div>
        {buttons}
        <ClosedReasons choices={all} />
      </div>
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
function getChoiceName({ intent, label }: Choice): string {
  return intent ?? label
}

function buildShortcuts(choices: readonly Choice[], choose: (name: string) => void): Shortcuts {
  return Object.fromEntries(
    choices.flatMap(({ intent }) => (intent ? [[KEYS[intent], () => choose(intent)]] : [])),
  )
}

/** Moves the focus to the first field or text of the opened panel, and back to its button on closing. */
function useFocusBetween(
  { container, form }: Record<'container' | 'form', React.RefObject<HTMLDivElement | null>>,
  choices: readonly Choice[],
  chosen: string | null,
) {
  const wasChosen = useRef<string | null>(null)
  useLayoutEffect(() => {
    const before = wasChosen.current
    wasChosen.current = chosen
    if (before === chosen) return
    if (chosen !== null) return focusFirst(container.current)
    const button = choices.find((option) => getChoiceName(option) === before)
    const isThis = (element: HTMLElement) => button && element.dataset.choice === getChoiceName(button)
    const buttons = [...(container.current?.querySelectorAll<HTMLElement>('[data-choice]') ?? [])]
    const target = buttons.find(isThis) ?? findFirstField(form.current)
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  }, [container, form, chosen, choices])
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
