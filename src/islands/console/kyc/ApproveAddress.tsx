import { addressData } from '../../../contract/console/kyc.ts'
import { isolate } from '../../../contract/isolate.ts'
import { Facts } from '../../../design/Facts.tsx'
import { TextField } from '../../../design/Field.tsx'
import { CountryField } from '../../identity/signUp/PersonFields.tsx'
import { type ApproveProps, CheckedForm, useApproval } from './CheckedForm.tsx'

const CHECKS = [
  'The name is the one on the account',
  'The address is the one in the profile',
  'A company, a bank or an authority issued it',
] as const

/** Approves a proof of address and records its day of issue and its country. */
export function ApproveAddress(props: ApproveProps) {
  const { isDocumentOpen } = props
  const { address, investor } = props.row
  const form = useApproval(addressData, props)
  const { field } = form
  return (
    <CheckedForm
      {...form.checked}
      checks={CHECKS}
      submitLabel={`Approve address of ${isolate(investor.name)}`}
      leadsTo="can then withdraw any amount."
    >
      <Facts
        facts={[
          {
            label: 'In the profile',
            value: <bdi>{[address?.ofAccount, address?.countryOfAccount].filter(Boolean).join(', ')}</bdi>,
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
