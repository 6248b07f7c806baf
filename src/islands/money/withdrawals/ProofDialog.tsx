import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { NEW_DESTINATION_HOURS } from '../../../contract/money/withdrawals.ts'
import { formatCents, parseUsd } from '../../../contract/money.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { CodeField } from '../../../design/Field.tsx'
import { Form, type FormProps } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { PasskeyOrCode, usePasskeyProof } from '../../lib/passkey.tsx'
import { getServerNow } from '../../lib/serverTime.ts'
import {
  describeMethods,
  describeReasons,
  isDelayed,
  PASSKEY_WORDS,
  type ProofRequest,
  type StepUp,
} from './stepUp.ts'

interface ProofDialogProps {
  stepUp: StepUp
  /** The subject of the proof: a withdrawal, a plan that withdraws, or a change of the address book. */
  subject: WithdrawalSubject | PlanSubject | AddressSubject
}

interface WithdrawalSubject {
  kind: 'withdrawal'
  amount: string
  destination: ReactNode
  /** Whether the withdrawal is filed now, so that a new destination delays it from now on. */
  delays?: boolean
}

interface PlanSubject {
  kind: 'plan'
  /** Names its amount, its dates and its destination. */
  words: ReactNode
}

interface AddressSubject {
  kind: 'address'
  address: string
}

const CONFIRM_LABELS = {
  withdrawal: 'Confirm Withdrawal',
  plan: 'Confirm Plan',
  address: 'Confirm Address',
} as const

const WITHOUT_CODE = 'without-code'
const HOUR_MS = 3_600_000

export function ProofDialog({ stepUp, ...props }: ProofDialogProps) {
  if (stepUp.request === null) return null
  return (
    <Modal open onClose={stepUp.end} title={`Confirm this ${props.subject.kind}`}>
      <Proof {...stepUp} request={stepUp.request} {...props} />
    </Modal>
  )
}

type ProofProps = Omit<StepUp & ProofDialogProps, 'request' | 'stepUp' | 'end'> & { request: ProofRequest }

function Proof({ request, shell, form, code, subject }: ProofProps) {
  const focus = useEffectEvent(() => form.setFocus('code'))
  const { timesSent } = request
  const passkey = usePasskeyProof(request.passkey)
  const confirming = passkey.shellOf(shell, (answer) => form.setValue('passkey', answer))
  const asksCode = !passkey.isChosen
  // A dialog focuses its first control, which is the close button. The code field is the right place, also for a new code.
  useEffect(() => {
    if (timesSent > 0 && asksCode) focus()
  }, [timesSent, asksCode])
  const onSubmit: FormProps['onSubmit'] = (event) => {
    // A request without a code passes once the link was used. Otherwise the server mails a new code.
    if (isWithoutCode(event.nativeEvent)) form.setValue('code', '')
    else if (asksCode && String(form.getValues('code') ?? '').trim() === '') {
      form.setError('code', { message: 'Please enter the code' })
      form.setFocus('code')
      return event.preventDefault()
    }
    return confirming.onSubmit(event)
  }
  const reasons = describeReasons(request.reasons)
  return (
    <>
      {subject.kind === 'withdrawal' && (
        <WithdrawalWords {...subject} isDelayed={subject.delays === true && isDelayed(request)} />
      )}
      {subject.kind === 'plan' && <p>{subject.words}</p>}
      {subject.kind === 'address' && (
        <p>
          This address will be in your address book: <code translate="no">{subject.address}</code>
        </p>
      )}
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
        submitLabel={asksCode ? CONFIRM_LABELS[subject.kind] : 'Confirm With Your Passkey'}
        actions={
          <>
            {asksCode && request.methods.includes('email') && (
              <>
                {subject.kind !== 'address' && (
                  <Button type="submit" value={WITHOUT_CODE} variant="quiet">
                    I used the link
                  </Button>
                )}
                <Button type="submit" value={WITHOUT_CODE} variant="quiet">
                  Send a new code
                </Button>
              </>
            )}
            <PasskeyOrCode passkey={passkey} />
          </>
        }
      >
        {asksCode ? (
          <CodeField label="Code" hint={describeMethods(request.methods, subject.kind)} {...code} />
        ) : (
          <p className="small soft">{PASSKEY_WORDS[subject.kind]}</p>
        )}
      </Form>
    </>
  )
}

function WithdrawalWords({
  amount,
  destination,
  isDelayed,
}: Pick<WithdrawalSubject, 'amount' | 'destination'> & { isDelayed: boolean }) {
  return (
    <>
      <p>
        You are withdrawing <strong className="number">{formatCents(parseUsd(amount) ?? 0)}</strong> to{' '}
        <span>{destination}</span>.
      </p>
      {isDelayed && (
        <p>
          The destination is new, so it is paid{' '}
          <strong>
            <DateTime at={new Date(getServerNow() + NEW_DESTINATION_HOURS * HOUR_MS).toISOString()} />
          </strong>{' '}
          at the earliest.
        </p>
      )}
    </>
  )
}

function isWithoutCode(event: Event): boolean {
  return (
    event instanceof SubmitEvent &&
    event.submitter instanceof HTMLButtonElement &&
    event.submitter.value === WITHOUT_CODE
  )
}
