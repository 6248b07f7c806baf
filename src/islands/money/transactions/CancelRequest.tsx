import { useRef, useState } from 'react'
import { cancelDeposit } from '../../../contract/money/deposits.ts'
import type { Transaction } from '../../../contract/money/transactions.ts'
import { cancelWithdrawal } from '../../../contract/money/withdrawals.ts'
import { Button } from '../../../design/Button.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { toast } from '../../../design/toasts.ts'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { call } from '../../lib/api.ts'
import { newIdempotencyKey } from '../../lib/idempotency.ts'

export function CancelRequest({
  transaction,
  onChanged,
  onCancelled,
}: {
  transaction: Transaction
  onChanged: () => void
  onCancelled: () => void
}) {
  const [step, setStep] = useState<'offered' | 'asked' | 'sending'>('offered')
  // One key for all clicks: a request can be cancelled only once.
  const key = useRef(newIdempotencyKey())
  const isDeposit = transaction.trxType === 'deposit'

  const cancel = async () => {
    setStep('sending')
    try {
      const { msg } = await call(isDeposit ? cancelDeposit : cancelWithdrawal, {
        params: { id: transaction._id },
        idempotencyKey: key.current,
      })
      toast.success(msg)
      onCancelled()
      onChanged()
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      setStep('asked')
      // It was decided or cancelled meanwhile.
      if (failure.status === 409) onChanged()
    }
  }

  if (step === 'offered') {
    return (
      <div className="row">
        <Button onClick={() => setStep('asked')}>Cancel this request</Button>
      </div>
    )
  }
  return (
    // The clicked button is gone, so the question takes the focus.
    <div ref={takeFocus} tabIndex={-1}>
      <Notice
        tone="caution"
        title={isDeposit ? 'Cancel this deposit request?' : 'Cancel this withdrawal request?'}
        actions={
          <>
            <Button variant="danger" size="small" busy={step === 'sending'} onClick={cancel}>
              Yes, cancel it
            </Button>
            <Button
              variant="quiet"
              size="small"
              disabled={step === 'sending'}
              onClick={() => setStep('offered')}
            >
              Keep it
            </Button>
          </>
        }
      >
        {isDeposit
          ? 'Cancel only what you have not paid. A payment that arrives for a cancelled request has to be cleared up with support.'
          : 'The amount that is held becomes available again at once. To withdraw it later, send a new request.'}
      </Notice>
    </div>
  )
}

function takeFocus(element: HTMLElement | null) {
  element?.focus()
}
