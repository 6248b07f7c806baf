import { identityData } from '../../../contract/console/kyc.ts'
import { isolate } from '../../../contract/isolate.ts'
import { TextField } from '../../../design/Field.tsx'
import styles from './CheckedForm.module.css'
import { type ApproveProps, CheckedForm, useApproval } from './CheckedForm.tsx'

const CHECKS = [
  'The name is the one on the account',
  'The country is one that we serve',
  'The face can be seen clearly',
] as const

/** Approves an identity and records the data on the document. */
export function ApproveIdentity(props: ApproveProps) {
  const { isDocumentOpen } = props
  const form = useApproval(identityData, props)
  const { field } = form
  return (
    <CheckedForm
      {...form.checked}
      checks={CHECKS}
      submitLabel={`Approve identity of ${isolate(props.row.investor.name)}`}
      leadsTo="can then deposit and withdraw."
    >
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
      <div className={styles.dates}>
        <TextField label="Date of birth" type="date" disabled={!isDocumentOpen} {...field('bornOn')} />
        <TextField label="Expires on" type="date" disabled={!isDocumentOpen} {...field('expiresOn')} />
      </div>
    </CheckedForm>
  )
}
