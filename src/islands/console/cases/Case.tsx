import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type CaseStep, describeStep } from '../../../contract/console/cases.ts'
import { Button } from '../../../design/Button.tsx'
import { joinClasses } from '../../../design/classes.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Timeline } from '../../../design/Timeline.tsx'
import styles from './cases.module.css'
import { Fold } from './Fold.tsx'
import { TimeZoneLine } from './OperatorScreen.tsx'

/** Who took which step of a case and when, and the way to everything that was done to it. */
export function CaseHistory({ id, steps = [] }: { id: string; steps?: readonly CaseStep[] | undefined }) {
  const last = steps.at(-1)
  return (
    <Background
      title="History"
      gist={
        last === undefined ? null : (
          <span>
            {describeStep(last)}, <DateTime at={last.at} />
          </span>
        )
      }
    >
      {steps.length > 0 && (
        <>
          <Timeline
            entries={steps.map((step) => ({ ...step, status: step.step, label: describeStep(step) }))}
          />
          <TimeZoneLine />
        </>
      )}
      <a className="small" href={`/operator/audit-log?${new URLSearchParams({ subject: id })}`}>
        All its lines in the audit log
      </a>
    </Background>
  )
}

interface BackgroundProps {
  title: string
  gist: ReactNode
  isBusy?: boolean
  /** Shown also while it is folded. */
  notice?: ReactNode
  children: ReactNode
}

/** A part of a case's background. It stands open, and on a phone folded, so that the decision is near. */
export function Background({ isBusy, notice, ...fold }: BackgroundProps) {
  const [isWide] = useState(() => matchMedia('(min-width: 48rem)').matches)
  return (
    <section className={styles.investor} aria-label={fold.title} aria-busy={isBusy}>
      {notice}
      <Fold {...fold} level="h3" isOpen={isWide} />
    </section>
  )
}

interface CaseColumnsProps {
  /** Risk and facts. */
  facts: ReactNode
  /** A receipt, a document or a destination. */
  evidence: ReactNode
  /** The investor and the history. */
  background: ReactNode
  decision: ReactNode
  /** Whether there is enough for three columns. */
  isWide: boolean
}

/** The parts of a case in the order in which they are read, side by side on wide screens. */
export function CaseColumns({ facts, evidence, background, decision, isWide }: CaseColumnsProps) {
  return (
    <div className={joinClasses(styles.case, isWide && styles.threeColumns)}>
      <div className={styles.facts}>{facts}</div>
      {evidence && <div className={styles.evidence}>{evidence}</div>}
      <div className={styles.decision}>{decision}</div>
      <div className={styles.background}>{background}</div>
    </div>
  )
}

/**
 * The content of an open case. It takes the focus, also when another case replaces it in the same dialog: screen readers
 * start at its beginning, and a key that is still held down activates no button.
 */
export function CaseFrame({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    frame.current?.focus({ preventScroll: true })
    frame.current?.closest('dialog')?.scrollTo(0, 0)
  }, [])
  return (
    <div ref={frame} className={styles.frame} tabIndex={-1}>
      {children}
    </div>
  )
}

export function CaseLoading({ what }: { what: string }) {
  return (
    <div className="stack" role="status">
      <Skeleton width="long" />
      <Skeleton width="full" height="block" />
      <span className="visually-hidden">Loading the {what}</span>
    </div>
  )
}

/** Shown when the row that the URL names is not in the list, or the list is still loading. */
export function CaseMissing({ what, isListLoading }: { what: string; isListLoading: boolean }) {
  if (isListLoading) return <CaseLoading what={what} />
  return <p>The case is not in this list. Try another filter, or “Show more”.</p>
}

export interface OutcomeWords {
  tone: 'success' | 'info' | 'caution'
  title?: string
  text: ReactNode
}

/** The result of an action. It takes the focus, because the clicked button is gone. */
export function OutcomeNotice({ tone, title, text }: OutcomeWords) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <div ref={notice} tabIndex={-1}>
      <Notice tone={tone} {...(title !== undefined && { title })}>
        {text}
      </Notice>
    </div>
  )
}

interface OutcomeProps {
  outcome: OutcomeWords
  onClose: () => void
  /** Opens the next pending row; undefined if there is none. */
  onNext?: (() => void) | undefined
}

/** The result of a decision, with buttons to continue. */
export function Outcome({ outcome, onClose, onNext }: OutcomeProps) {
  return (
    <div className="stack">
      <OutcomeNotice {...outcome} />
      <div className="row">
        {onNext && (
          <Button variant="primary" onClick={onNext}>
            Next in the queue
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  )
}

/** The result of an action that came too late: the row was decided or changed meanwhile. */
export function describeNothingDone(text: string): OutcomeWords {
  return { tone: 'caution', title: 'Nothing was done', text }
}
