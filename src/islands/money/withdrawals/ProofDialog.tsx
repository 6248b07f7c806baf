import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { formatCents, parseUsd } from '../../../contract/money.ts'
import { Button } from '../../../design/Button.tsx'
import { CodeField, type CodeFieldProps } from '../../../design/CodeField.tsx'
import { Form, type FormProps } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { PasskeyOrCode, usePasskeyProof } from '../../lib/passkey.tsx'
import { methodWords, PASSKEY_WORDS, type ProofAsked, reasonWords } from './stepUp.ts'

interface ProofDialogProps {
  /** Null while nothing is asked. */
  asked: ProofAsked | null
  /** As typed. */
  amount: string
  destination: ReactNode
  /** The withdrawal's own form: the code is one field more of it, and it is sent again with it. */
  shell: Pick<FormProps, 'onSubmit' | 'pending' | 'formError'>
  code: Omit<CodeFieldProps, 'label'>
  /** Puts a passkey's answer among what is sent; blank is none. */
  setPasskey: (answer: string) => void
  /** False when there is no code yet, which it then says beside the field. */
  isCodeGiven: () => boolean
  /** Empties the field, so that the request goes without a code: the server then sends a new one. */
  dropCode: () => void
  focusCode: () => void
  onClose: () => void
}

const NEW_CODE = 'new-code'

/** Asks for the code that confirms a withdrawal, and says why, what it confirms and where the code comes from. */
export function ProofDialog({ asked, onClose, ...props }: ProofDialogProps) {
  if (asked === null) return null
  return (
    <Modal open onClose={onClose} title="Confirm this withdrawal">
      <Proof asked={asked} {...props} />
    </Modal>
  )
}

function Proof({
  asked,
  amount,
  destination,
  shell,
  code,
  setPasskey,
  isCodeGiven,
  dropCode,
  focusCode,
}: Omit<ProofDialogProps, 'asked' | 'onClose'> & { asked: ProofAsked }) {
  const focus = useEffectEvent(focusCode)
  const { timesSent } = asked
  const passkey = usePasskeyProof(asked.passkey)
  const confirming = passkey.shellOf(shell, setPasskey)
  const asksCode = !passkey.isChosen
  // A dialog starts at its first control, which is the one that closes it; and a new code is there to be typed.
  useEffect(() => {
    if (timesSent > 0 && asksCode) focus()
  }, [timesSent, asksCode])
  const onSubmit: FormProps['onSubmit'] = (event) => {
    if (isForNewCode(event.nativeEvent)) dropCode()
    else if (asksCode && !isCodeGiven()) return event.preventDefault()
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
