import { useEffect, useEffectEvent } from 'react'
import { patchUserInfo, profileForm } from '../../../contract/identity/profile.ts'
import { Button } from '../../../design/Button.tsx'
import { Form } from '../../../design/Form.tsx'
import { type Option, SelectField } from '../../../design/SelectField.tsx'
import { TextArea } from '../../../design/TextArea.tsx'
import { TextField } from '../../../design/TextField.tsx'
import { toast } from '../../../design/toasts.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { amendSession } from '../../lib/session.ts'
import { CountryField } from '../signUp/CountryField.tsx'
import { PhoneField } from '../signUp/PhoneField.tsx'
import { withOwn } from '../signUp/withOwn.ts'
import { changesOf, type Item, type Person } from './person.ts'
import styles from './UpdateProfile.module.css'

interface UpdateProfileProps {
  person: Person
  /** The item that was pressed: its field has the focus. */
  first: Item
  /** Asks for another e-mail address, in a dialog of its own. Null for whoever keeps theirs. */
  onChangeEmail: (() => void) | null
  onDone: () => void
}

/** The form in the dialog. What is left blank stays as it is, and what is wrong is the server's to say, beside the field. */
export function UpdateProfile({ person, first, onChangeEmail, onDone }: UpdateProfileProps) {
  const { shell, field, form } = useEndpointForm({
    endpoint: patchUserInfo,
    schema: profileForm,
    draft: 'profile',
    defaultValues: { ...person },
    bodyOf: (typed) => changesOf(person, textsOf(typed)),
    failures: 'form',
    onDone: ({ msg }, typed) => {
      const { displayName } = changesOf(person, textsOf(typed))
      if (displayName !== undefined) amendSession({ name: displayName })
      toast.success(msg)
      onDone()
    },
  })
  const focusFirst = useEffectEvent(() => form.setFocus(first))
  useEffect(() => focusFirst(), [])
  return (
    <Form {...shell} submitLabel="Update Info" label="Update Profile">
      <p className="small soft">What you leave blank stays as it is.</p>
      <div className="pair">
        <TextField label="Full Name" autoComplete="name" {...field('fullname')} />
        <div className={styles.email}>
          <TextField
            label="Email"
            type="email"
            readOnly
            hint={
              onChangeEmail ? 'You sign in with it.' : 'You sign in with it. An operator’s stays as it is.'
            }
            {...field('email')}
          />
          {onChangeEmail && (
            <Button size="small" aria-haspopup="dialog" onClick={onChangeEmail}>
              Change Email Address
            </Button>
          )}
        </div>
      </div>
      <div className="pair">
        <PhoneField label="Phone Number" {...field('phone')} />
        <CountryField own={person.country} {...field('country')} />
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

function textsOf(typed: Readonly<Record<string, unknown>>): Partial<Record<Item, string>> {
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => typeof value === 'string'))
}
