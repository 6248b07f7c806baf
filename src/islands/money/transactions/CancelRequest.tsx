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

/** Takes back a request that is still pending, after asking once more. */
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
  // One for this request, however often its button is pressed: it can only be cancelled once.
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
      // It was decided, or cancelled elsewhere, since it was loaded.
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
    // The button that was pressed is gone: the question takes the focus over.
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
