import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from 'react'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { isolate } from '../../../contract/isolate.ts'
import type { OperatorScope } from '../../../contract/roles.ts'
import { Modal, useLeave } from '../../../design/Modal.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { toast } from '../../../design/toasts.ts'
import { getData, useResource } from '../../lib/resource.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import { withSearchParams } from '../../lib/url.ts'
import { HoldNotice, listAskChoices } from './AskInvestor.tsx'
import { isLocked } from './assignedWords.ts'
import {
  CaseColumns,
  CaseFrame,
  CaseHistory,
  CaseLoading,
  CaseMissing,
  describeNothingDone,
  Outcome,
  type OutcomeWords,
} from './Case.tsx'
import { CaseAssignment } from './CaseAssignment.tsx'
import styles from './cases.module.css'
import { Unbroken } from './columns.tsx'
import { Decide } from './Decide.tsx'
import { OperatorScreen } from './OperatorScreen.tsx'
import { useOnPossibleChange } from './pendingCounts.ts'
import { QueueView } from './QueueView.tsx'
import { isFirstList, nameRow, type QueueKind, type QueueRow, takesField } from './queueKind.ts'
import { RiskPanel } from './RiskPanel.tsx'
import { ShortcutHelp, useShortcuts } from './shortcuts.tsx'
import { useNextWork } from './useNextWork.ts'
import { useOperator } from './useOperator.ts'
import { type Queue, useQueue } from './useQueue.ts'
import { useRowFocus } from './useRowFocus.ts'
import { useSettings } from './useSettings.ts'
import { useTabTitle } from './useTabTitle.ts'

interface KindProps<Row extends QueueRow> {
  /** Must not change while the screen is mounted. */
  kind: QueueKind<Row>
}

/** Only needed once a case is open. */
const AboutInvestor = lazy(async () => ({ default: (await import('./AboutInvestor.tsx')).AboutInvestor }))

/** A list of the console and its open row. Everything can be done with the keyboard alone. */
export function QueueScreen<Row extends QueueRow>({ kind }: KindProps<Row>) {
  const screen = useCallback(() => <QueueList kind={kind} />, [kind])
  return (
    <OperatorScreen scope={kind.endpoint.scope as OperatorScope} waiting={<QueueView kind={kind} />}>
      {screen}
    </OperatorScreen>
  )
}

/** One list of a page. */
export function QueueList<Row extends QueueRow>({ kind }: KindProps<Row>) {
  const { titleOf, above: Above, below: Below, create } = kind
  const isFirst = isFirstList(kind)
  const settings = getData(useSettings(isFirst)) ?? null
  const queue = useQueue(kind, settings)
  const [isHelping, setHelping] = useState(false)
  const [isCreating, setCreating] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const { openId, next, open } = queue
  const [last, setLast] = useState<PreviousOutcome<Row> | null>(null)
  const title = titleOf(queue.opened)
  useTabTitle(openId === '' ? null : title)
  const goOn = useNextWork()
  const rows = useRowFocus(list, openId)
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string | undefined) => {
    if (id === undefined) return
    const others = [...selected].filter((other) => other !== id)
    select(new Set(selected.has(id) ? others : [...others, id]))
  }
  const openHelp = () => setHelping(true)
  const keys = {
    j: () => rows.move(1),
    k: () => rows.move(-1),
    o: rows.open,
    x: kind.workOf || takesField(kind, 'format') ? () => toggle(findFocusedRow()) : undefined,
    u: queue.reload,
    f: () => {
      search.current?.focus()
      search.current?.select()
    },
  }
  useShortcuts(isFirst ? keys : {}, list, isFirst ? 'list' : undefined)
  // The help lists the keys of a case before one is open.
  useShortcuts({}, list, 'case')
  return (
    <>
      {Above && <Above queue={queue} settings={settings} />}
      <div ref={list} className={styles.list} tabIndex={-1}>
        <QueueView
          kind={kind}
          queue={queue}
          onHelp={openHelp}
          onCreate={() => setCreating(true)}
          selection={{ selected, toggle, reset: (ids) => select(new Set(ids)) }}
          searchField={search}
          onSearched={() => list.current?.focus({ preventScroll: true })}
        />
      </div>
      <Modal
        open={openId !== ''}
        onClose={queue.close}
        title={<Unbroken text={title} />}
        above={last?.into === openId && <PreviousCase last={last} onOpen={open} />}
        size={kind.evidence || kind.investorOf || kind.isWide ? 'wide' : 'large'}
      >
        <CaseKeys queue={queue}>
          <QueueCase
            key={openId}
            kind={kind}
            id={openId}
            queue={queue}
            settings={settings}
            isContinued={last?.into === openId}
            onDecided={(row, outcome) => {
              if (next === undefined) return goOn(openId, outcome)
              setLast({ into: next._id, row, name: nameRow(kind, row), outcome })
              open(next)
            }}
          />
        </CaseKeys>
      </Modal>
      {create && (
        <Modal
          open={isCreating}
          onClose={() => setCreating(false)}
          title={create.title ?? create.label}
          size="large"
        >
          <Suspense fallback={<CaseLoading what="form" />}>
            <create.form
              queue={queue}
              onCancel={() => setCreating(false)}
              onDone={(said) => {
                setCreating(false)
                queue.reload()
                if (said !== undefined) toast.success(said)
              }}
            />
          </Suspense>
        </Modal>
      )}
      {Below && <Below queue={queue} />}
      <ShortcutHelp open={isHelping} onClose={() => setHelping(false)} />
    </>
  )
}

/** The id of the row that has the focus, or its checkbox. */
function findFocusedRow(): string | undefined {
  const row = document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-row]')
  return row?.dataset.row
}

/** The keys that lead from an open case to others. */
function CaseKeys<Row>({
  queue: { next, open, step },
  children,
}: {
  queue: Queue<Row>
  children: ReactNode
}) {
  const place = useRef<HTMLDivElement>(null)
  const leave = useLeave()
  useShortcuts(
    {
      j: () => leave(() => step(1)),
      k: () => leave(() => step(-1)),
      n: next && (() => leave(() => open(next))),
    },
    place,
  )
  return (
    <div ref={place} className="stack">
      {children}
    </div>
  )
}

/** The outcome of a case, shown above the one that opened by itself after it. */
interface PreviousOutcome<Row> {
  /** The id of the case that opened. */
  into: string
  row: Row
  name: string
  outcome: OutcomeWords
}

interface PreviousCaseProps<Row> {
  last: PreviousOutcome<Row>
  onOpen: (row: Row) => void
}

/** What became of the previous case. It names that case, and stands outside of the open one. */
function PreviousCase<Row extends QueueRow>({ last, onOpen }: PreviousCaseProps<Row>) {
  const { row, name, outcome } = last
  const leave = useLeave()
  return (
    <p role="status" className={styles.previous}>
      <span>Previous case, </span>
      <a
        href={withSearchParams(location.href, { status: '', open: row._id })}
        onClick={(event) => {
          event.preventDefault()
          leave(() => onOpen(row))
        }}
      >
        <bdi>
          <Unbroken text={name} />
        </bdi>
      </a>
      <span>
        : <b>{outcome.title ?? 'Done'}</b>. <span>{outcome.text}</span>
      </span>
    </p>
  )
}

interface QueueCaseProps<Row extends QueueRow> {
  kind: QueueKind<Row>
  id: string
  queue: Queue<Row>
  settings: Settings | null
  /** Whether the case opened by itself, after the decision of another one. */
  isContinued: boolean
  onDecided: (row: Row, outcome: OutcomeWords) => void
}

/** An open row of a queue: its facts, its investor, and the possible decisions. */
function QueueCase<Row extends QueueRow>(props: QueueCaseProps<Row>) {
  const { kind, id, queue, settings, isContinued } = props
  const { opened: listed, next } = queue
  const { me, can } = useOperator()
  const { load } = kind
  const loaded = useResource(load ? `${kind.singular} ${id}` : null, async () => load?.(id))
  const [isDocumentOpen, setDocumentOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  const { row, outcome, onUpdated, refresh, ...decided } = useDecision(props, getData(loaded) ?? listed)
  if (loaded.state === 'failed') return <LoadFailure msg={loaded.msg} onRetry={loaded.reload} />
  if (row === undefined)
    return load ? (
      <CaseLoading what={kind.singular} />
    ) : (
      <CaseMissing what={kind.singular} isListLoading={queue.data.state === 'loading'} />
    )
  const context = {
    me,
    settings,
    isDocumentOpen,
    openDocument: () => setDocumentOpen(true),
    isContinued,
  }
  const investor = kind.investorOf?.(row)
  const evidence = kind.evidence?.(row, context)
  const canDecide = (outcome === null || kind.goesOn) && (load === undefined || loaded.state === 'ready')
  const decisions = (canDecide && kind.decisions?.(row, context)) || []
  const work = decisions.length > 0 ? kind.workOf?.(row) : undefined
  const isTaken = work !== undefined && isLocked(row.assigned, me, getServerNow())
  // A colleague who takes the case over must not cost typed text, so decisions that were shown stay.
  if (decisions.length > 0 && !isTaken && !wasOpen) setWasOpen(true)
  const choices = isTaken && !wasOpen ? [] : decisions
  const asking = listAskChoices(isTaken ? undefined : work, row.hold, {
    row,
    settings,
    onAsked: (hold) => onUpdated({ ...row, hold, waitsSince: null, dueAt: null }),
    onOvertaken: decided.onOvertaken,
  })
  return (
    <CaseFrame>
      {outcome !== null && (
        <Outcome
          key={outcome.title}
          outcome={outcome}
          onClose={queue.close}
          onNext={next && (() => queue.open(next))}
        />
      )}
      <CaseColumns
        facts={
          <>
            {row.risk !== undefined && <RiskPanel risk={row.risk} />}
            {work !== undefined && (
              <CaseAssignment
                id={id}
                kind={work}
                assigned={row.assigned ?? null}
                dueAt={row.dueAt ?? null}
                onChanged={(assigned) => onUpdated({ ...row, assigned })}
                onOvertaken={() => {
                  refresh()
                  queue.refresh()
                }}
              />
            )}
            {kind.details(row, context)}
          </>
        }
        evidence={evidence}
        isWide={evidence !== undefined || investor !== undefined}
        background={
          <>
            {investor !== undefined && can('operator:investors.money') && (
              <Suspense fallback={<CaseLoading what="investor" />}>
                <AboutInvestor id={investor} caseId={id} version={row.status} />
              </Suspense>
            )}
            <CaseHistory id={kind.auditedAs?.(row) ?? id} steps={row.steps} />
          </>
        }
        decision={
          <>
            {work !== undefined && row.hold && <HoldNotice hold={row.hold} />}
            {outcome === null && kind.notice?.(row, context)}
            {choices.length > 0 && (
              <Decide
                key={outcome?.title}
                isLocked={isTaken}
                choices={[
                  ...choices.map(({ panel, ...choice }) => ({
                    ...choice,
                    panel: (onCancel: (() => void) | undefined) =>
                      panel({ ...decided, row, settings, onCancel }),
                  })),
                  ...asking,
                ]}
              />
            )}
          </>
        }
      />
    </CaseFrame>
  )
}

/** The state of an open row, from loading to the decision, made here or by another operator. */
function useDecision<Row extends QueueRow>(
  { kind, id, queue, ...props }: QueueCaseProps<Row>,
  current: Row | undefined,
) {
  // Keeps the row after it has left the list.
  const [kept, setKept] = useState(current)
  const [opened, setOpened] = useState(current)
  const [refreshed, setRefreshed] = useState<Row | null>(null)
  const [changed, setChanged] = useState<Row | null>(null)
  const [outcome, setOutcome] = useState<OutcomeWords | null>(null)
  if (current !== undefined && current !== kept) setKept(current)
  if (current !== undefined && opened === undefined) setOpened(current)
  const updates = useRef(0)
  const { load } = kind
  const refresh = () => {
    const before = updates.current
    // A failed refresh is ignored: the server decides anyway. So is one that began before an update, which it may lack.
    if (changed === null)
      load?.(id).then(
        (row) => {
          if (updates.current === before) setRefreshed(row)
        },
        () => undefined,
      )
  }
  useOnPossibleChange(refresh)
  const row = changed ?? refreshed ?? current ?? kept
  const isDecidedElsewhere =
    changed === null && row !== undefined && opened !== undefined && row.status !== opened.status
  const onChanged = (answer: Row) => {
    // Answers of decisions come without the risk.
    const risk = answer.risk ?? row?.risk
    const changed = risk === undefined ? answer : { ...answer, risk }
    setChanged(changed)
    queue.put(changed)
  }
  return {
    row,
    refresh,
    onUpdated: (row: Row) => {
      updates.current += 1
      // A row without a `load` comes from the list, so that it follows later changes there.
      if (changed !== null) setChanged(row)
      else if (load) setRefreshed(row)
      queue.update(row)
    },
    outcome: outcome ?? (isDecidedElsewhere ? describeDecisionElsewhere(row) : null),
    onChanged,
    onDecided: (row: Row) => {
      onChanged(row)
      const outcome = kind.outcomeOf?.(row) ?? { tone: 'success', title: 'Done', text: '' }
      setOutcome(outcome)
      props.onDecided(row, outcome)
    },
    onDone: (outcome: OutcomeWords) => {
      setOutcome(outcome)
      queue.reload()
      refresh()
    },
    onOvertaken: (msg: string) => {
      setOutcome(describeNothingDone(msg))
      if (load === undefined) return queue.refresh()
      load(id).then(
        (row) => {
          onChanged(row)
        },
        // The message stays, although the row could not be loaded.
        () => undefined,
      )
    },
  }
}

/** The outcome for an open row that was decided elsewhere. */
function describeDecisionElsewhere({ status = '', steps }: QueueRow): OutcomeWords {
  if (status === 'open')
    return {
      tone: 'caution',
      title: 'Reopened',
      text: 'It was reopened in the meantime and waits for an operator again. Nothing of yours was sent.',
    }
  const text =
    status === 'cancelled'
      ? 'The investor cancelled it. No decision is needed.'
      : `${isolate(steps?.at(-1)?.by?.name ?? 'Another operator')} decided it first. Its status is “${status}”. You sent nothing.`
  return { tone: 'caution', title: status === 'cancelled' ? 'Cancelled' : 'Already decided', text }
}
