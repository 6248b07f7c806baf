import type { OperatorDeposit } from '../../contract/operator/deposits.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { Money } from '../../design/Money.tsx'
import { Notice } from '../../design/Notice.tsx'

/** Who approved first, and what: the second operator compares it with the receipt and the network. */
export function FirstApproval({ first, isOwn }: FirstApprovalProps) {
  return (
    <Notice tone="caution" title="A second operator has to approve this">
      {isOwn ? 'You' : first.by} approved <Money value={first.amount} /> under <code>{first.reference}</code>{' '}
      on <DateTime at={first.at} />. It is credited once another operator approves the same amount under the
      same transaction id{first.hasQuantity && ', and gives the same quantity'}.
    </Notice>
  )
}

interface FirstApprovalProps {
  first: NonNullable<OperatorDeposit['firstApproval']>
  /** It was whoever looks at it. */
  isOwn: boolean
}
