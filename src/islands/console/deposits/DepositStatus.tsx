import type { OperatorDeposit } from '../../../contract/console/deposits.ts'
import { Status } from '../../../design/Status.tsx'

/** Where a deposit stands; one that was approved once is still pending, and says what it waits for. */
export function DepositStatus({ deposit }: { deposit: Pick<OperatorDeposit, 'status' | 'awaiting'> }) {
  return <Status status={deposit.status} {...(deposit.awaiting && { label: 'Second approval' })} />
}
