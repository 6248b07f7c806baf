import * as z from 'zod/mini'
import { approveKyc } from '../../../contract/console/kyc.ts'
import { requiredText } from '../../../contract/fields.ts'
import { isolate } from '../../../contract/isolate.ts'
import { Facts } from '../../../design/Facts.tsx'
import { TextField } from '../../../design/Field.tsx'
import { CountryField } from '../../identity/signUp/PersonFields.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { createOvertakenHandler } from '../cases/ConfirmedForm.tsx'
import type { ApproveProps } from './ApproveIdentity.tsx'
import { CheckedForm } from './CheckedForm.tsx'

const CHECKS = [
  'The name is the one on the account',
  'The address is the one in the profile',
  'A company, a bank or an authority issued it',
] as const

const documentData = z.object({
  issuedOn: requiredText('Please enter the day on which it was issued', 10),
  country: requiredText('Please enter the country of the address', 120),
})

/** Approves a proof of address and records its day of issue and its country. */
export function ApproveAddress({ isDocumentOpen, ...props }: ApproveProps) {
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
      submitLabel={`Approve address of ${isolate(investor.name)}`}
      onCancel={onCancel}
      person={investor}
      leadsTo="can then withdraw any amount."
    >
      <Facts
        facts={[
          {
            label: 'In the profile',
            value: (
              <bdi>{[row.address?.ofAccount, row.address?.countryOfAccount].filter(Boolean).join(', ')}</bdi>
            ),
          },
        ]}
      />
      <TextField
        label="Issued on"
        type="date"
        disabled={!isDocumentOpen}
        hint="At most three months before it was sent."
        {...field('issuedOn')}
      />
      <CountryField disabled={!isDocumentOpen} hint="Of the address on the document" {...field('country')} />
    </CheckedForm>
  )
}
