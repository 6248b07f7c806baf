import { useCallback, useRef, useState } from 'react'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { Modal } from '../../../design/Modal.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { dataOf, useResource } from '../../lib/resource.ts'
import { AboutInvestor } from './AboutInvestor.tsx'
import {
  CaseColumns,
  CaseFrame,
  CaseLoading,
  CaseMissing,
  nothingDone,
  Outcome,
  type OutcomeWords,
} from './Case.tsx'
import styles from './cases.module.css'
import { Decide } from './Decide.tsx'
import { OperatorScreen } from './OperatorScreen.tsx'
import { refreshCounts, useOnPossibleChange } from './pendingCounts.ts'
import { QueueView } from './QueueView.tsx'
import type { QueueKind, QueueRow } from './queueKind.ts'
import { ShortcutHelp, useShortcuts } from './shortcuts.tsx'
import { useOperator } from './useOperator.ts'
import { useQueue } from './useQueue.ts'
import { useRowFocus } from './useRowFocus.ts'
import { useSettings } from './useSettings.ts'

interface KindProps<Row extends QueueRow> {
  /** Must not change while the screen is mounted. */
  kind: QueueKind<Row>
}

/** A queue and its open case. Everything can be done with the keyboard alone. */
export function QueueScreen<Row extends QueueRow>({ kind }: KindProps<Row>) {
  const screen = useCallback(() => <LoadedQueue kind={kind} />, [kind])
  const search = useRef(null)
  return (
    <OperatorScreen waiting={<QueueView kind={kind} searchField={search} onSearched={() => undefined} />}>
      {screen}
    </OperatorScreen>
  )
}

function LoadedQueue<Row extends QueueRow>({ kind }: KindProps<Row>) {
  const { titleOf, above: Above } = kind
  const queue = useQueue(kind)
  const settings = dataOf(useSettings()) ?? null
  const [isHelping, setHelping] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const dialog = useRef<HTMLDivElement>(null)
  const { openId, next, open, step } = queue
  const rows = useRowFocus(list, openId)
  const help = () => setHelping(true)
  // A shortcut to another case must not discard the input of this one.
  const unlessDeciding = (act: () => void) => () => {
    if (!dialog.current?.querySelector('[data-deciding]')) act()
  }
  useShortcuts(
    {
      j: () => rows.move(1),
      k: () => rows.move(-1),
      o: rows.open,
      u: queue.reload,
      f: () => {
        search.current?.focus()
        search.current?.select()
      },
    },
    list,
  )
  useShortcuts(
    {
      j: unlessDeciding(() => step(1)),
      k: unlessDeciding(() => step(-1)),
      n: next && unlessDeciding(() => open(next)),
    },
    dialog,
  )
  return (
    <>
      {Above && <Above queue={queue} settings={settings} />}
      <div ref={list} className={styles.list} tabIndex={-1}>
        <QueueView
          kind={kind}
          queue={queue}
          onHelp={help}
          searchField={search}
          onSearched={() => list.current?.focus({ preventScroll: true })}
        />
      </div>
      <Modal
        open={openId !== ''}
        onClose={queue.close}
        title={titleOf(queue.opened)}
        size={kind.evidence ? 'wide' : 'large'}
      >
        <div ref={dialog} className="stack">
          <QueueCase
            key={openId}
            kind={kind}
            id={openId}
            listed={queue.opened}
            isListLoading={queue.data.state === 'loading'}
            settings={settings}
            onDecided={queue.put}
            onOvertaken={queue.refresh}
            onClose={queue.close}
            onNext={next && (() => open(next))}
          />
        </div>
      </Modal>
      <ShortcutHelp open={isHelping} onClose={() => setHelping(false)} />
    </>
  )
}

interface QueueCaseProps<Row extends QueueRow> {
  kind: QueueKind<Row>
  id: string
  /** The row from the list, shown until the whole row is loaded. */
  listed: Row | undefined
  isListLoading: boolean
  settings: Settings | null
  /** Called with the row from the server's answer. */
  onDecided: (row: Row) => void
  /** Refreshes the list after another operator was faster. */
  onOvertaken: () => void
  onClose: () => void
  /** Undefined if no other row is pending. */
  onNext: (() => void) | undefined
}

/** An open row of a queue: its facts, its investor, and the possible decisions. */
function QueueCase<Row extends QueueRow>(props: QueueCaseProps<Row>) {
  const { kind, id, listed, settings } = props
  const { me } = useOperator()
  const { load } = kind
  const loaded = useResource(load ? `${kind.singular} ${id}` : null, async () => load?.(id))
  const [isDocumentOpen, setDocumentOpen] = useState(false)
  const { row, outcome, ...decision } = useDecision(props, dataOf(loaded) ?? listed)
  if (loaded.state === 'failed') return <LoadFailure msg={loaded.msg} onRetry={loaded.reload} />
  if (row === undefined)
    return load ? (
      <CaseLoading what={kind.singular} />
    ) : (
      <CaseMissing what={kind.singular} isListLoading={props.isListLoading} />
    )
  const context = { me, isDocumentOpen, openDocument: () => setDocumentOpen(true) }
  const investor = kind.investorOf?.(row)
  const canDecide = outcome === null && (load === undefined || loaded.state === 'ready')
  const choices = canDecide ? kind.decisions(row, context) : []
  return (
    <CaseFrame>
      {outcome !== null && <Outcome outcome={outcome} onClose={props.onClose} onNext={props.onNext} />}
      <CaseColumns evidence={kind.evidence?.(row, context)}>
        {kind.details(row, context)}
        {investor !== undefined && <AboutInvestor id={investor} version={row.status} />}
        {outcome === null && kind.notice?.(row, context)}
        {choices.length > 0 && (
          <Decide
            choices={choices.map(({ panel, ...choice }) => ({
              ...choice,
              panel: (onCancel) => panel({ ...decision, row, settings, onCancel }),
            }))}
          />
        )}
      </CaseColumns>
    </CaseFrame>
  )
}

/** The state of an open row, from loading to the decision, made here or by another operator. */
function useDecision<Row extends QueueRow>(
  { kind, id, ...props }: QueueCaseProps<Row>,
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
  const { load } = kind
  useOnPossibleChange(() => {
    // A failed refresh is ignored: the server decides anyway.
    if (changed === null) load?.(id).then(setRefreshed, () => undefined)
  })
  const row = changed ?? refreshed ?? current ?? kept
  const isDecidedElsewhere =
    changed === null && row !== undefined && opened !== undefined && row.status !== opened.status
  const onChanged = (row: Row) => {
    setChanged(row)
    props.onDecided(row)
  }
  return {
    row,
    outcome: outcome ?? (isDecidedElsewhere ? decidedElsewhere(row.status ?? '', kind.decidedBy(row)) : null),
    onChanged,
    onDecided: (row: Row) => {
      onChanged(row)
      refreshCounts()
      setOutcome(kind.outcomeOf(row))
    },
    onOvertaken: (msg: string) => {
      setOutcome(nothingDone(msg))
      if (load === undefined) return props.onOvertaken()
      load(id).then(
        (row) => {
          onChanged(row)
          refreshCounts()
        },
        // The message stays, although the row could not be loaded.
        () => undefined,
      )
    },
  }
}

/** The outcome for an open row that was decided elsewhere. */
function decidedElsewhere(status: string, who: string | null): OutcomeWords {
  if (status === 'open')
    return {
      tone: 'caution',
      title: 'Reopened',
      text: 'It was reopened in the meantime and waits for an operator again. Nothing of yours was sent.',
    }
  const text =
    status === 'cancelled'
      ? 'The investor has cancelled it. There is nothing left to decide.'
      : `${who ?? 'Another operator'} decided it first: it is ${status} now. Nothing of yours was sent.`
  return { tone: 'caution', title: status === 'cancelled' ? 'Cancelled' : 'Already decided', text }
}
