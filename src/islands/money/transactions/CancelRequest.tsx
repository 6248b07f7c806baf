import { useState } from 'react'
import { cancelDeposit } from '../../../contract/money/deposits.ts'
import type { Transaction } from '../../../contract/money/transactions.ts'
import { cancelWithdrawal } from '../../../contract/money/withdrawals.ts'
import { Button } from '../../../design/Button.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { useCancel } from '../../lib/action.ts'
import { takeFocus } from '../../lib/takeFocus.ts'

interface CancelRequestProps {
  transaction: Transaction
  onChanged: () => void
  onCancelled: () => void
}

export function CancelRequest({ transaction, onChanged, onCancelled }: CancelRequestProps) {
  const [isConfirming, setConfirming] = useState(false)
  const isDeposit = transaction.trxType === 'deposit'
  const cancel = useCancel(isDeposit ? cancelDeposit : cancelWithdrawal, transaction._id, {
    onCancelled: () => {
      onCancelled()
      onChanged()
    },
    onOutdated: onChanged,
  })
  if (!isConfirming) {
    return (
      <div className="row">
        <Button onClick={() => setConfirming(true)}>Cancel this request</Button>
      </div>
    )
  }
  return (
    // The clicked button was removed, so the question takes the focus.
    <div ref={takeFocus} tabIndex={-1}>
      <Notice
        tone="caution"
        title={isDeposit ? 'Cancel this deposit request?' : 'Cancel this withdrawal request?'}
        actions={
          <>
            <Button variant="danger" size="small" busy={cancel.busy} onClick={cancel.start}>
              Yes, cancel it
            </Button>
            <Button variant="quiet" size="small" disabled={cancel.busy} onClick={() => setConfirming(false)}>
              Keep it
            </Button>
          </>
        }
      >
        {isDeposit
          ? 'Cancel it only if you have not paid. If you have, support must sort it out.'
          : 'The amount is available again at once.'}
      </Notice>
    </div>
  )
}
