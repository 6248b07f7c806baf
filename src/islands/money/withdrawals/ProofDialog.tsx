import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { formatCents, parseUsd } from '../../../contract/money.ts'
import { Button } from '../../../design/Button.tsx'
import { CodeField } from '../../../design/Field.tsx'
import { Form, type FormProps } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { PasskeyOrCode, usePasskeyProof } from '../../lib/passkey.tsx'
import { methodWords, PASSKEY_WORDS, type ProofAsked, reasonWords, type StepUp } from './stepUp.ts'

interface ProofDialogProps {
  stepUp: StepUp
  /** As typed. */
  amount: string
  destination: ReactNode
}

const NEW_CODE = 'new-code'

/** Asks for the proof that confirms a withdrawal; says why, what it confirms and where the code comes from. */
export function ProofDialog({ stepUp, ...props }: ProofDialogProps) {
  if (stepUp.asked === null) return null
  return (
    <Modal open onClose={stepUp.end} title="Confirm this withdrawal">
      <Proof {...stepUp} asked={stepUp.asked} {...props} />
    </Modal>
  )
}

type ProofProps = Omit<StepUp & ProofDialogProps, 'asked' | 'stepUp' | 'end'> & { asked: ProofAsked }

function Proof({ asked, shell, form, code, amount, destination }: ProofProps) {
  const focus = useEffectEvent(() => form.setFocus('code'))
  const { timesSent } = asked
  const passkey = usePasskeyProof(asked.passkey)
  const confirming = passkey.shellOf(shell, (answer) => form.setValue('passkey', answer))
  const asksCode = !passkey.isChosen
  // A dialog starts at its first control, which is the one that closes it; and a new code is there to be typed.
  useEffect(() => {
    if (timesSent > 0 && asksCode) focus()
  }, [timesSent, asksCode])
  const onSubmit: FormProps['onSubmit'] = (event) => {
    // Sent without a code, the request makes the server mail a new one.
    if (isForNewCode(event.nativeEvent)) form.setValue('code', '')
    else if (asksCode && String(form.getValues('code') ?? '').trim() === '') {
      form.setError('code', { message: 'Please enter the code' })
      form.setFocus('code')
      return event.preventDefault()
    }
    return confirming.onSubmit(event)
  }
  const reasons = reasonWords(asked.reasons)
  return (
    <>
      <p>
        You are withdrawing <strong className="number">{formatCents(parseUsd(amount) ?? 0)}</strong> to{' '}
        {destination}.
      </p>
      {reasons.length > 0 && (
        <div className="small soft">
          <p>Why we ask:</p>
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      )}
      {timesSent > 1 && (
        <Notice key={timesSent} tone="success" live>
          A new code was sent. Earlier ones no longer work.
        </Notice>
      )}
      <Form
        {...confirming}
        onSubmit={onSubmit}
        submitLabel={asksCode ? 'Confirm Withdrawal' : 'Confirm With Your Passkey'}
        actions={
          <>
            {asksCode && asked.methods.includes('email') && (
              <Button type="submit" name="wanted" value={NEW_CODE} variant="quiet">
                Send a new code
              </Button>
            )}
            <PasskeyOrCode passkey={passkey} />
          </>
        }
      >
        {asksCode ? (
          <CodeField label="Code" hint={methodWords(asked.methods)} {...code} />
        ) : (
          <p className="small soft">{PASSKEY_WORDS}</p>
        )}
      </Form>
    </>
  )
}

function isForNewCode(event: Event): boolean {
  return (
    event instanceof SubmitEvent &&
    event.submitter instanceof HTMLButtonElement &&
    event.submitter.value === NEW_CODE
  )
}
