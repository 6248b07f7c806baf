import { useState } from 'react'
import * as z from 'zod/mini'
import { approveKyc, type OperatorKyc } from '../../../contract/console/kyc.ts'
import { requiredText } from '../../../contract/fields.ts'
import { isolate } from '../../../contract/isolate.ts'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { CancelButton, createOvertakenHandler, type DecisionProps } from '../cases/ConfirmedForm.tsx'
import styles from './ApproveIdentity.module.css'

/** Checks that a reviewer makes before approving an identity. */
const CHECKS = [
  'The name is the one on the account',
  'The country is one that we serve',
  'The face can be seen clearly',
] as const

const documentData = z.object({
  documentName: requiredText('Please enter the name as it is on the document', 140),
  documentNumber: requiredText('Please enter the number of the document', 40),
  bornOn: requiredText('Please enter the date of birth', 10),
  expiresOn: requiredText('Please enter the day on which it expires', 10),
})

interface ApproveIdentityProps extends DecisionProps<OperatorKyc> {
  isDocumentOpen: boolean
}

/**
 * Approves an identity after every check was ticked, and records the name on the document. The form is disabled until the
 * document was opened.
 */
export function ApproveIdentity({ isDocumentOpen, ...props }: ApproveIdentityProps) {
  const { row, onDecided, onOvertaken, onCancel } = props
  const { investor } = row
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [wasBlocked, setBlocked] = useState(false)
  const { shell, field } = useEndpointForm({
    endpoint: approveKyc,
    schema: documentData,
    params: { id: row._id },
    bodyOf: (values) => values,
    failures: 'form',
    onDone: onDecided,
    onFailure: createOvertakenHandler(onOvertaken),
  })
  const left = CHECKS.length - ticked.length
  const blocked = !isDocumentOpen
    ? 'Open the document first.'
    : left > 0
      ? `Check the document and tick all ${CHECKS.length} points. ${left} left.`
      : null
  return (
    <Form
      {...shell}
      onSubmit={(event) => {
        if (blocked === null) return shell.onSubmit(event)
        event.preventDefault()
        setBlocked(true)
      }}
      formError={wasBlocked && blocked !== null ? blocked : shell.formError}
      submitLabel={`Approve identity of ${isolate(investor.name)}`}
      actions={<CancelButton hidden={shell.pending} onClick={onCancel} />}
    >
      {/* Takes the focus, so that screen readers read it before the button. */}
      <div tabIndex={-1} data-read-first>
        <p>
          <strong>
            <bdi>{investor.name}</bdi>
          </strong>{' '}
          (<span translate="no">{investor.email}</span>) can then deposit and withdraw.
        </p>
      </div>
      <TextField
        label="Name on the document"
        autoComplete="off"
        disabled={!isDocumentOpen}
        hint="Type it from the document. Payees of withdrawals are compared with it."
        {...field('documentName')}
      />
      <TextField
        label="Number of the document"
        autoComplete="off"
        disabled={!isDocumentOpen}
        hint="Stored so that the same document is noticed on another account, and nobody can read it."
        {...field('documentNumber')}
      />
      <TextField label="Date of birth" type="date" disabled={!isDocumentOpen} {...field('bornOn')} />
      <TextField label="Expires on" type="date" disabled={!isDocumentOpen} {...field('expiresOn')} />
      <fieldset className={styles.checks}>
        <legend>{isDocumentOpen ? 'Check the document' : 'Open the document to check it'}</legend>
        {CHECKS.map((check) => (
          <label key={check} className={styles.check}>
            <input
              type="checkbox"
              disabled={!isDocumentOpen}
              checked={ticked.includes(check)}
              onChange={({ target }) =>
                setTicked(target.checked ? [...ticked, check] : ticked.filter((name) => name !== check))
              }
            />
            {check}
          </label>
        ))}
      </fieldset>
    </Form>
  )
}
