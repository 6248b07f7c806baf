import { useState } from 'react'
import { approveKyc, type OperatorKyc } from '../../../contract/console/kyc.ts'
import { ConfirmOnly, type DecisionProps } from '../cases/ConfirmedForm.tsx'
import styles from './ApproveIdentity.module.css'

/** What a reviewer compares before approving an identity. */
const CHECKS = [
  'The name is the one on the account',
  'The date of birth can be read, and the person is an adult',
  'The country is one that we serve',
  'The document has not expired',
  'The face can be seen clearly',
] as const

interface ApproveIdentityProps extends DecisionProps<OperatorKyc> {
  isDocumentOpen: boolean
}

/** Approves an identity after every check was ticked. None can be ticked before the document was opened. */
export function ApproveIdentity({ isDocumentOpen, ...props }: ApproveIdentityProps) {
  const { investor } = props.row
  const [ticked, setTicked] = useState<readonly string[]>([])
  const left = CHECKS.length - ticked.length
  return (
    <ConfirmOnly
      {...props}
      endpoint={approveKyc}
      confirmLabel={`Approve identity of ${investor.name}`}
      blocked={
        !isDocumentOpen
          ? 'Open the document first.'
          : left > 0
            ? `Check the document and tick all ${CHECKS.length} points. ${left} left.`
            : undefined
      }
    >
      <p>
        <strong>
          <bdi>{investor.name}</bdi>
        </strong>{' '}
        ({investor.email}) can then deposit and withdraw.
      </p>
      <fieldset className={styles.checks}>
        <legend>{isDocumentOpen ? 'Check the document' : 'Open the document to check it'}</legend>
        {CHECKS.map((check) => (
          <label key={check} className={styles.check}>
            <input
              type="checkbox"
              disabled={!isDocumentOpen}
              checked={ticked.includes(check)}
              onChange={({ target }) =>
                setTicked(target.checked ? [...ticked, check] : ticked.filter((each) => each !== check))
              }
            />
            {check}
          </label>
        ))}
      </fieldset>
    </ConfirmOnly>
  )
}
