import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { formatCents, parseUsd } from '../../contract/money.ts'
import { Button } from '../../design/Button.tsx'
import { CodeField, type CodeFieldProps } from '../../design/CodeField.tsx'
import { Form, type FormProps } from '../../design/Form.tsx'
import { Modal } from '../../design/Modal.tsx'
import { Notice } from '../../design/Notice.tsx'
import type { ProofAsked } from './stepUp.ts'
import { methodWords, reasonWords } from './stepUpWords.ts'

export interface ProofDialogProps {
  asked: ProofAsked
  /** As typed. */
  amount: string
  destination: ReactNode
  /** The withdrawal's own form: the code is one field more of it, and it is sent again with it. */
  shell: Pick<FormProps, 'onSubmit' | 'pending' | 'formError'>
  code: Omit<CodeFieldProps, 'label'>
  /** False when there is no code yet, which it then says beside the field. */
  isCodeGiven: () => boolean
  /** Empties the field, so that the request goes without a code: the server then sends a new one. */
  dropCode: () => void
  focusCode: () => void
  onClose: () => void
}

const NEW_CODE = 'new-code'

/** Asks for the code that confirms a withdrawal, and says why, what it confirms and where the code comes from. */
export function ProofDialog({ onClose, ...props }: ProofDialogProps) {
  return (
    <Modal open onClose={onClose} title="Confirm this withdrawal">
      <Proof {...props} />
    </Modal>
  )
}

function Proof({
  asked,
  amount,
  destination,
  shell,
  code,
  isCodeGiven,
  dropCode,
  focusCode,
}: Omit<ProofDialogProps, 'onClose'>) {
  const focus = useEffectEvent(focusCode)
  const { timesSent } = asked
  // A dialog starts at its first control, which is the one that closes it; and a new code is there to be typed.
  useEffect(() => {
    if (timesSent > 0) focus()
  }, [timesSent])
  const onSubmit: FormProps['onSubmit'] = (event) => {
    if (isForNewCode(event.nativeEvent)) dropCode()
    else if (!isCodeGiven()) return event.preventDefault()
    return shell.onSubmit(event)
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
        {...shell}
        onSubmit={onSubmit}
        submitLabel="Confirm Withdrawal"
        actions={
          asked.methods.includes('email') && (
            <Button type="submit" name="wanted" value={NEW_CODE} variant="quiet">
              Send a new code
            </Button>
          )
        }
      >
        <CodeField label="Code" hint={methodWords(asked.methods)} {...code} />
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
