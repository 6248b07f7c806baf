import { useEffect, useEffectEvent } from 'react'
import type * as z from 'zod/mini'
import type { InputOf } from '../../../contract/endpoint.ts'
import { register, signUpForm, TERMS_VERSION } from '../../../contract/identity/registration.ts'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { CheckboxField, TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { useSearchParams } from '../../lib/url.ts'
import { CountryField, PhoneField } from './PersonFields.tsx'
import { savePendingEmail } from './pendingEmail.ts'

export const SignUp = withErrorBoundary(SignUpForm)

function SignUpForm() {
  const { shell, field, form } = useEndpointForm({
    endpoint: register,
    schema: signUpForm,
    bodyOf: buildRegistration,
    onDone: (_, { email }) => {
      savePendingEmail(email.trim())
      location.assign('/check-email')
    },
  })
  const invitedBy = useSearchParams()?.get('ref')
  const fillIn = useEffectEvent((referralID: string) => {
    if (!form.getValues('referralID')) form.setValue('referralID', referralID)
  })
  useEffect(() => {
    if (invitedBy) fillIn(invitedBy)
  }, [invitedBy])
  // The phone number is read anew when the country changes.
  form.watch('country')
  return (
    <Form {...shell} submitLabel="Create an account" wide label="Sign up">
      <TextField label="Full name" autoComplete="name" {...field('fullname')} />
      <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
      <CountryField {...field('country')} />
      <PhoneField
        label="Phone number"
        getCountry={() => String(form.getValues('country') ?? '')}
        {...field('phone')}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint="At least 8 characters"
        {...field('password')}
      />
      <PasswordField label="Confirm password" autoComplete="new-password" {...field('confirmPassword')} />
      <TextField
        label="Referral ID"
        optional
        autoComplete="off"
        hint="The person who referred you sees your initials and the date you joined."
        {...field('referralID')}
      />
      <CheckboxField label={<Consent />} {...field('acceptedTerms')} />
    </Form>
  )
}

// The links open in new tabs, so that the form keeps its values.
function Consent() {
  return (
    <span>
      I am 18 or older and accept the{' '}
      <a href="/terms-of-service" target="_blank" rel="noopener">
        Terms of Service
      </a>{' '}
      and{' '}
      <a href="/privacy-policy" target="_blank" rel="noopener">
        Privacy Policy
      </a>
    </span>
  )
}

/**
 * The body to send: the API expects full name, e-mail and referral ID in lower case. `displayName` keeps the name as typed,
 * for greetings and statements.
 */
export function buildRegistration(typed: z.input<typeof signUpForm>): InputOf<typeof register> {
  const { fullname, email, referralID, acceptedTerms, ...asTyped } = typed
  return {
    ...asTyped,
    fullname: fullname.toLowerCase(),
    displayName: fullname,
    email: email.toLowerCase(),
    ...(referralID && { referralID: referralID.toLowerCase() }),
    ...(acceptedTerms && { acceptedTerms: TERMS_VERSION }),
  }
}
