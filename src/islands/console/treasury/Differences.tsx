import { formatAssetQuantity } from '../../../contract/console/coinWords.ts'
import { clearDifference, type OperatorTreasury } from '../../../contract/console/treasury.ts'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { toast } from '../../../design/toasts.ts'
import { NoWrap } from '../cases/columns.tsx'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import { useAddress } from '../cases/useAddress.ts'
import { useOperator } from '../cases/useOperator.ts'

type Difference = OperatorTreasury['differences'][number]

/** Differences between proofs and books, and balances below zero, with the form that clears one. */
export function Differences({ rows, onCleared }: { rows: readonly Difference[]; onCleared: () => void }) {
  const { can } = useOperator()
  const [openId, setOpenId] = useAddress('open', '')
  const opened = rows.find(({ _id, cleared }) => _id === openId && cleared === null) ?? null
  const close = () => setOpenId('')
  return (
    <section id="differences">
      <TablePanel
        title="Differences"
        columns={[
          { key: 'at', header: 'Since', narrow: 'start', cell: ({ since }) => <TableDate at={since} /> },
          { key: 'place', header: 'Place', narrow: 'line', cell: ({ place }) => <bdi>{place}</bdi> },
          {
            key: 'quantity',
            header: 'Difference',
            narrow: 'line',
            align: 'end',
            cell: ({ quantity, asset, isNegative }) => (
              <span>
                <NoWrap>{formatAssetQuantity(quantity, asset)}</NoWrap>
                <span>{isNegative && ', below zero'}</span>
              </span>
            ),
          },
          {
            key: 'cleared',
            header: 'Cleared',
            narrow: 'line',
            cell: ({ cleared }) =>
              cleared === null ? (
                'Open'
              ) : (
                <span>
                  <bdi>{cleared.by.name}</bdi>, <TableDate at={cleared.at} />: <bdi>{cleared.reason}</bdi>
                </span>
              ),
          },
        ]}
        rows={rows}
        rowKey={({ _id }) => _id}
        emptyText="No difference in what was compared."
        {...(can('operator:treasury.write') && {
          onOpen: (row: Difference) => setOpenId(row._id),
        })}
      />
      <Modal open={opened !== null} onClose={close} title="Clear a difference">
        {opened !== null && (
          <>
            <p>
              {formatAssetQuantity(opened.quantity, opened.asset)} at <bdi>{opened.place}</bdi>
              <span>{opened.isNegative && ', below zero'}</span>, since <DateTime at={opened.since} />.
            </p>
            <ReasonForm
              row={opened}
              endpoint={clearDifference}
              hint="Other operators can read it."
              consequence="The difference is cleared. This books nothing: propose an entry for a missing one."
              confirmLabel="Clear the difference"
              variant="primary"
              onDecided={() => {
                close()
                toast.success('Cleared.')
                onCleared()
              }}
              onOvertaken={onCleared}
              onCancel={close}
            />
          </>
        )}
      </Modal>
    </section>
  )
}
