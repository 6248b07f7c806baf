import { lazy, Suspense, useState } from 'react'
import { PAYOUT_STATES } from '../../../contract/console/payoutStates.ts'
import { listPayouts, type PayoutRow } from '../../../contract/console/payouts.ts'
import { Button } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { Pagination } from '../../../design/Table.tsx'
import { Waiting } from '../../lib/Loaded.tsx'
import { usePages, usePreviousRows } from '../../lib/pages.ts'
import { CHAIN_LABELS } from '../cases/coinWords.ts'
import { amountColumn, whenColumn } from '../cases/columns.tsx'
import { NeedsRole, OperatorScreen } from '../cases/OperatorScreen.tsx'
import { StatusFilter } from '../cases/QueueView.tsx'
import { TablePanel, type TablePanelProps } from '../cases/TablePanel.tsx'
import { useAddress } from '../cases/useAddress.ts'
import { useOperator } from '../cases/useOperator.ts'
import { describePayoutStatus, FILTERS } from './words.ts'

// Loaded when they are opened.
const BuildPayout = lazy(async () => ({ default: (await import('./BuildPayout.tsx')).BuildPayout }))
const PayoutCase = lazy(async () => ({ default: (await import('./PayoutCase.tsx')).PayoutCase }))

/** /operator/payouts: transactions that pay approved withdrawals on proved networks. */
export function Payouts() {
  return (
    <OperatorScreen scope="operator:withdrawals.read" waiting={<TablePanel {...LIST} />}>
      {PayoutsScreen}
    </OperatorScreen>
  )
}

function PayoutsScreen() {
  const [named, show] = useAddress('state', '')
  const state = PAYOUT_STATES.find((candidate) => candidate === named) ?? ''
  const [openId, setOpen] = useAddress('open', '')
  const [isBuilding, setBuilding] = useState(false)
  const { can } = useOperator()
  const pages = usePages(listPayouts, { state })
  const data = usePreviousRows(pages.data)
  return (
    <>
      <TablePanel
        {...LIST}
        actions={
          can('operator:withdrawals.decide') && (
            <Button variant="primary" size="small" onClick={() => setBuilding(true)}>
              Build a payout
            </Button>
          )
        }
        lead={<StatusFilter label="Which payouts to show" filters={FILTERS} value={state} onChange={show} />}
        data={data}
        onRetry={pages.reload}
        onOpen={({ _id }) => setOpen(_id)}
        footer={<Pagination {...pages} />}
      />
      <Modal open={isBuilding} onClose={() => setBuilding(false)} title="Build a payout" size="large">
        <Suspense fallback={<Opening what="form" />}>
          <BuildPayout
            onCancel={() => setBuilding(false)}
            onBuilt={({ _id }) => {
              setBuilding(false)
              pages.reload()
              setOpen(_id)
            }}
          />
        </Suspense>
      </Modal>
      <Modal open={openId !== ''} onClose={() => setOpen('')} title="Payout" size="wide">
        <Suspense fallback={<Opening what="payout" />}>
          <PayoutCase key={openId} id={openId} onChanged={pages.reload} />
        </Suspense>
      </Modal>
    </>
  )
}

function Opening({ what }: { what: string }) {
  return (
    <Waiting label={`Loading the ${what}`}>
      <Skeleton width="full" height="block" />
    </Waiting>
  )
}

const LIST: TablePanelProps<PayoutRow> = {
  title: 'All payouts',
  columns: [
    {
      key: 'chain',
      header: 'Chain',
      narrow: 'start',
      cell: ({ chain, withdrawals }) => (
        <>
          <span>{CHAIN_LABELS[chain]}</span>
          <div className="soft small">
            {withdrawals === 1 ? '1 withdrawal' : `${withdrawals} withdrawals`}
          </div>
        </>
      ),
    },
    amountColumn,
    { key: 'words', header: 'Progress', narrow: 'line', usually: 'long', cell: ({ words }) => words },
    whenColumn,
    {
      key: 'status',
      header: 'Status',
      narrow: 'end',
      cell: (payout) => <Status {...describePayoutStatus(payout)} />,
    },
  ],
  rowKey: ({ _id }) => _id,
  emptyText: 'No payouts. Build one from approved withdrawals of a proved network.',
  children: <NeedsRole scope="operator:withdrawals.decide" />,
}
