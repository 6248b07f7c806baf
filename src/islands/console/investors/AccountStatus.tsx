import type { OperatorInvestor } from '../../../contract/console/investors.ts'
import { Status } from '../../../design/Status.tsx'

/** The status of an account. A frozen closed account is not erased when its retention period ends. */
export function AccountStatus({
  frozen,
  lockedAt,
  closedAt,
}: Pick<OperatorInvestor, 'frozen' | 'lockedAt' | 'closedAt'>) {
  if (closedAt === null && lockedAt !== null) return <Status status="frozen" label="Locked by the investor" />
  if (closedAt === null) return <Status status={frozen ? 'frozen' : 'active'} />
  return frozen ? <Status status="frozen" label="Closed, frozen" /> : <Status status="closed" />
}
