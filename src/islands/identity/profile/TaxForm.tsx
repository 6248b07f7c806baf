import { getTaxDetails, saveTaxDetails, type TaxDetails } from '../../../contract/identity/tax.ts'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { toast } from '../../../design/toasts.ts'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { CountryField } from '../signUp/PersonFields.tsx'

/** The form, with the earlier answers. */
export function TaxForm({ onDone }: { onDone: () => void }) {
  const saved = useResource('tax details', () => call(getTaxDetails))
  return (
    <Loaded resource={saved} waiting={<Waiting label="Loading your tax residence">{null}</Waiting>}>
      {({ details }) => <Fields details={details} onDone={onDone} />}
    </Loaded>
  )
}

function Fields({ details, onDone }: { details: TaxDetails | null; onDone: () => void }) {
  const { shell, field } = useEndpointForm({
    endpoint: saveTaxDetails,
    defaultValues: { ...details },
    focus: 'firstName',
    failures: 'form',
    onDone: ({ msg }) => {
      toast.success(msg)
      onDone()
    },
  })
  return (
    <Form {...shell} submitLabel="Save" label="Tax residence">
      <div className="pair">
        <TextField label="First name" autoComplete="given-name" {...field('firstName')} />
        <TextField label="Last name" autoComplete="family-name" {...field('lastName')} />
      </div>
      <TextField label="Street and number" optional autoComplete="address-line1" {...field('street')} />
      <div className="pair">
        <TextField label="Postcode" optional autoComplete="postal-code" {...field('postCode')} />
        <TextField label="City" autoComplete="address-level2" {...field('city')} />
      </div>
      <div className="pair">
        <CountryField hint="Where you pay taxes" {...field('country')} />
        <TextField
          label="Tax number"
          optional
          autoComplete="off"
          translate="no"
          hint="Leave it blank if your country gives you none"
          {...field('taxNumber')}
        />
      </div>
    </Form>
  )
}
