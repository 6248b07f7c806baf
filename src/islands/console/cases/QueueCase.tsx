import { useState } from 'react'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { useResource } from '../../lib/resource.ts'
import { AboutInvestor } from './AboutInvestor.tsx'
import { CaseFrame, CaseLoading, CaseMissing } from './Case.tsx'
import { Decide } from './Decide.tsx'
import { nothingDone, Outcome, type OutcomeWords } from './Outcome.tsx'
import { refreshCounts, useOnPossibleChange } from './pendingCounts.ts'
import type { QueueKind, QueueRow } from './queueKind.ts'
import { useOperator } from './useOperator.ts'

export interface QueueCaseProps<Row extends QueueRow> {
  kind: QueueKind<Row>
  id: string
  /** The row as the list has it: shown until the case itself is loaded. */
  listed: Row | undefined
  isListLoading: boolean
  settings: Settings | null
  /** Called with the row as the server answered it. */
  onDecided: (row: Row) => void
  /** Refreshes the list, because somebody else was faster. */
  onOvertaken: () => void
  onClose: () => void
  /** Undefined when no other row is pending. */
  onNext: (() => void) | undefined
}

/** An open row of a queue: what is known, the investor, and what can be decided. */
export function QueueCase<Row extends QueueRow>(props: QueueCaseProps<Row>) {
  const { kind, id, listed, settings } = props
  const { me } = useOperator()
  const { load } = kind
  const loaded = useResource(load ? `${kind.singular} ${id}` : null, async () => load?.(id))
  const [isDocumentOpen, setDocumentOpen] = useState(false)
  const { row, outcome, ...decision } = useDecision(
    props,
    (loaded.state === 'ready' ? loaded.data : undefined) ?? listed,
  )
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
      {kind.details(row, context)}
      {investor !== undefined && <AboutInvestor id={investor} />}
      {outcome === null && kind.notice?.(row, context)}
      {choices.length > 0 && (
        <Decide
          choices={choices.map(({ panel, ...choice }) => ({
            ...choice,
            panel: (onCancel) => panel({ ...decision, row, settings, onCancel }),
          }))}
        />
      )}
    </CaseFrame>
  )
}

/** Follows an open row from what was loaded to what was decided, here or by somebody else. */
function useDecision<Row extends QueueRow>(
  { kind, id, ...props }: QueueCaseProps<Row>,
  current: Row | undefined,
) {
  // The row stays when the list it came from no longer has it.
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
        // The sentence stands, although the row cannot be loaded.
        () => undefined,
      )
    },
  }
}

/** Words for a row that changed while it was open, without being decided here. */
function decidedElsewhere(status: string, who: string | null): OutcomeWords {
  const text =
    status === 'cancelled'
      ? 'Who asked for it has cancelled it meanwhile. There is nothing left to decide.'
      : `${who ?? 'Somebody else'} was faster: it is ${status} now. Nothing of yours was sent.`
  return { tone: 'caution', title: status === 'cancelled' ? 'Cancelled' : 'Already decided', text }
}
