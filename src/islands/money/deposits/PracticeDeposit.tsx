import type { AnnouncedDeposit } from '../../../contract/money/deposits.ts'
import { getTransaction } from '../../../contract/money/transactions.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Money } from '../../../design/Money.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { useReloadUntilDecided } from '../../lib/SampleOffer.tsx'

/** A practice deposit after it was filed: waits for the practice reviewer, then leads to the strategies. */
export function PracticeDeposit({ filed, onClose }: { filed: AnnouncedDeposit; onClose: () => void }) {
  const resource = useResource(`deposit ${filed._id}`, () =>
    call(getTransaction, { params: { id: filed._id }, quiet: true }),
  )
  const deposit = resource.state === 'ready' ? resource.data : null
  const isWaiting = deposit === null || deposit.status === 'pending'
  const progress = useReloadUntilDecided(isWaiting, resource.reload, 'credits it')
  return (
    <Modal
      open
      onClose={onClose}
      title="Deposit Request Completed"
      actions={
        deposit?.status === 'approved' ? (
          <ButtonLink href="/dashboard/strategies" variant="primary">
            Choose a strategy
          </ButtonLink>
        ) : (
          <ButtonLink href={`/dashboard/transaction-history?open=${filed.ref}`}>
            Transaction History
          </ButtonLink>
        )
      }
    >
      <p role="status">
        {deposit?.status === 'approved' ? (
          <span>
            <Money value={deposit.amount} /> of simulated money was credited. You can invest it now.
          </span>
        ) : isWaiting ? (
          progress
        ) : (
          'It was decided. Your transaction history shows how.'
        )}
      </p>
    </Modal>
  )
}
