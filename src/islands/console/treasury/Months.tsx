import { useState } from 'react'
import { propose } from '../../../contract/console/proposalBodies.ts'
import type { OperatorTreasury } from '../../../contract/console/treasury.ts'
import { formatMonth } from '../../../contract/dates.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { toast } from '../../../design/toasts.ts'
import { buildLinkHref } from '../audit/words.ts'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { PlaceLinks } from './Places.tsx'
import { findWaiting, formatEntryCount, type WaitingProposal } from './words.ts'

interface MonthsProps {
  treasury: OperatorTreasury
  onProposed: () => void
}

/** Closed months, and the next one to close. */
export function Months({ treasury, onProposed }: MonthsProps) {
  const { months, closable } = treasury
  const { can } = useOperator()
  const [isClosing, setClosing] = useState(false)
  const [next] = closable
  const proposed = findWaiting(treasury, 'month_close')
  return (
    <TablePanel
      title="Closed months"
      lead={
        <p className="soft small">
          Two people close a month. Its hash is computed from its entries and balances, so a later change
          would show.
        </p>
      }
      columns={[
        { key: 'month', header: 'Month', narrow: 'start', cell: ({ month }) => formatMonth(month, 'long') },
        { key: 'at', header: 'Closed', narrow: 'end', cell: ({ at }) => <TableDate at={at} /> },
        {
          key: 'hash',
          header: 'Hash',
          narrow: 'line',
          cell: ({ hash }) => <code translate="no">{hash}</code>,
        },
      ]}
      rows={months}
      rowKey={({ month }) => month}
      emptyText="No month is closed yet."
    >
      {proposed === undefined ? <MonthObstacle treasury={treasury} /> : <CloseProposed waiting={proposed} />}
      <Unsettled treasury={treasury} />
      {next !== undefined && proposed === undefined && can('operator:proposals.write') && (
        <div className="row">
          <Button onClick={() => setClosing(true)}>{`Propose to close ${formatMonth(next, 'long')}`}</Button>
        </div>
      )}
      <Modal
        open={isClosing}
        onClose={() => setClosing(false)}
        title={`Close ${next === undefined ? '' : formatMonth(next, 'long')}`}
      >
        <ReasonForm
          row={{ _id: '' }}
          endpoint={propose}
          body={{ kind: 'month_close', month: next ?? '' }}
          what="Closing a month"
          hint="Other operators can read it."
          consequence="Once another operator approves, the month is named by the hash of its books. Later entries go to the next month."
          confirmLabel="Propose to close the month"
          variant="primary"
          onDecided={() => {
            setClosing(false)
            toast.success('Proposed. Another operator approves it under Proposals.')
            onProposed()
          }}
          onOvertaken={onProposed}
          onCancel={() => setClosing(false)}
        />
      </Modal>
    </TablePanel>
  )
}

function CloseProposed({ waiting: { _id, createdAt, by } }: { waiting: WaitingProposal }) {
  return (
    <Notice title="Closing a month is proposed">
      <bdi>{by.name}</bdi> proposed it, <DateTime at={createdAt} />. Another operator has to approve{' '}
      <a href={buildLinkHref('proposal', _id) ?? ''}>the proposal</a>.
    </Notice>
  )
}

/** Why no month can be closed now. */
function MonthObstacle({ treasury: { closable, nextMonth } }: { treasury: OperatorTreasury }) {
  if (closable.length > 0) return null
  if (nextMonth === null)
    return (
      <p>
        No month can be closed yet. The first balances of the ledger are kept within a day, and then their
        month can.
      </p>
    )
  return (
    <p>
      <span>{formatMonth(nextMonth.month, 'long')}</span> is the next month to close. It can be closed from{' '}
      <DateTime at={nextMonth.endsAt} />, when it is over in UTC.
    </p>
  )
}

/** What should be settled before a month is closed, with the way to each. */
function Unsettled({ treasury }: { treasury: OperatorTreasury }) {
  const { differences, waiting, places, closable, nextMonth } = treasury
  const open = differences.filter(({ cleared }) => cleared === null).length
  const entries = waiting.filter(({ kind }) => kind === 'treasury')
  const provenFrom = closable.length > 0 && nextMonth !== null ? Date.parse(nextMonth.endsAt) - 1 : 0
  const unproven = places.filter(
    ({ proof, reconciled, quantity }) =>
      proof === 'statement' &&
      quantity !== '0' &&
      (reconciled === null || Date.parse(reconciled.at) < provenFrom),
  )
  if (open + entries.length + unproven.length === 0) return null
  return (
    <Notice tone="caution" title="Settle this before you close a month">
      <p>You can close it all the same: this is only a warning.</p>
      <ul>
        {open > 0 && (
          <li>
            <a href="#differences">{open === 1 ? 'One open difference' : `${open} open differences`}</a>
          </li>
        )}
        {entries.length > 0 && (
          <li>
            <a href="/operator/proposals">{formatEntryCount(entries.length)}</a>
          </li>
        )}
        {unproven.length > 0 && (
          <li>
            <PlaceLinks
              title={
                provenFrom === 0
                  ? 'Not compared with a statement yet:'
                  : 'Not compared with a statement at or after the end of the month yet:'
              }
              places={unproven}
            />
          </li>
        )}
      </ul>
    </Notice>
  )
}
