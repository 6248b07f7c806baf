import { useEffect, useEffectEvent } from 'react'
import { profileCall } from '../../contract/profileCall.ts'
import { Form } from '../../design/Form.tsx'
import { type Option, SelectField } from '../../design/SelectField.tsx'
import { TextArea } from '../../design/TextArea.tsx'
import { TextField } from '../../design/TextField.tsx'
import { toast } from '../../design/toasts.ts'
import { useEndpointForm } from '../lib/endpointForm.ts'
import { renameSession } from '../lib/session.ts'
import { useCountries } from '../sign-up/countries.ts'
import { changesOf, type Item, type Person } from './person.ts'

interface UpdateProfileProps {
  person: Person
  /** The item that was pressed: its field has the focus. */
  first: Item
  onDone: () => void
}

/** The form in the dialog. What is left blank stays as it is, and what is wrong is the server's to say, beside the field. */
export function UpdateProfile({ person, first, onDone }: UpdateProfileProps) {
  const { shell, field, form } = useEndpointForm({
    endpoint: profileCall,
    defaultValues: { ...person },
    bodyOf: (typed) => changesOf(person, textsOf(typed)),
    failures: 'form',
    onDone: ({ msg }, typed) => {
      const { displayName } = changesOf(person, textsOf(typed))
      if (displayName !== undefined) renameSession(displayName)
      toast.success(msg)
      onDone()
    },
  })
  const focusFirst = useEffectEvent(() => form.setFocus(first))
  useEffect(() => focusFirst(), [])
  const countries = useCountries()
  return (
    <Form {...shell} submitLabel="Update Info" label="Update Profile">
      <div className="pair">
        <TextField label="Full Name" autoComplete="name" {...field('fullname')} />
        <TextField
          label="Email"
          type="email"
          readOnly
          hint="You sign in with it. It cannot be changed here."
          {...field('email')}
        />
      </div>
      <div className="pair">
        <TextField
          label="Phone Number"
          type="tel"
          autoComplete="tel"
          hint="With the country code: +1 555 010 0199"
          {...field('phone')}
        />
        <SelectField
          label="Country"
          autoComplete="country-name"
          placeholder="Choose your country"
          options={withOwn(countries, person.country)}
          {...field('country')}
        />
      </div>
      <TextArea label="Address" autoComplete="street-address" rows={3} {...field('address')} />
      <div className="pair">
        <SelectField
          label="Marital Status"
          placeholder="Not said"
          options={withOwn(MARITAL_STATUS, person.maritalStatus)}
          {...field('maritalStatus')}
        />
        {/* Free text, as its autocomplete token is. */}
        <TextField label="Gender" autoComplete="sex" {...field('gender')} />
      </div>
    </Form>
  )
}

const MARITAL_STATUS: readonly Option[] = [
  'Single',
  'Married',
  'In a civil partnership',
  'Separated',
  'Divorced',
  'Widowed',
].map((status) => ({ value: status, label: status }))

/** What somebody gave elsewhere may be none of the choices; it is kept as one. */
function withOwn(options: readonly Option[], own: string): readonly Option[] {
  if (own === '' || options.some(({ value }) => value === own)) return options
  return [{ value: own, label: own }, ...options]
}

function textsOf(typed: Readonly<Record<string, unknown>>): Partial<Record<Item, string>> {
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => typeof value === 'string'))
}
