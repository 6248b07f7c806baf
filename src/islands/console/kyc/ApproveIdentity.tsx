import * as z from 'zod/mini'
import { approveKyc, type OperatorKyc } from '../../../contract/console/kyc.ts'
import { requiredText } from '../../../contract/fields.ts'
import { isolate } from '../../../contract/isolate.ts'
import { TextField } from '../../../design/Field.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { createOvertakenHandler, type DecisionProps } from '../cases/ConfirmedForm.tsx'
import { CheckedForm } from './CheckedForm.tsx'

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

export interface ApproveProps extends DecisionProps<OperatorKyc> {
  isDocumentOpen: boolean
}

/** Approves an identity and records the data on the document. */
export function ApproveIdentity({ isDocumentOpen, ...props }: ApproveProps) {
  const { row, onDecided, onOvertaken, onCancel } = props
  const { investor } = row
  const { shell, field } = useEndpointForm({
    endpoint: approveKyc,
    schema: documentData,
    params: { id: row._id },
    bodyOf: (values) => values,
    failures: 'form',
    onDone: onDecided,
    onFailure: createOvertakenHandler(onOvertaken),
  })
  return (
    <CheckedForm
      {...shell}
      checks={CHECKS}
      isDocumentOpen={isDocumentOpen}
      submitLabel={`Approve identity of ${isolate(investor.name)}`}
      onCancel={onCancel}
      person={investor}
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
      <TextField label="Date of birth" type="date" disabled={!isDocumentOpen} {...field('bornOn')} />
      <TextField label="Expires on" type="date" disabled={!isDocumentOpen} {...field('expiresOn')} />
    </CheckedForm>
  )
}
