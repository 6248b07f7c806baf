import { useEffect, useEffectEvent } from 'react'
import { register, signUpForm } from '../../../contract/identity/registration.ts'
import { CheckboxField } from '../../../design/CheckboxField.tsx'
import { ErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Form } from '../../../design/Form.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { TextField } from '../../../design/TextField.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { useSearchParams } from '../../lib/url.ts'
import { rememberAwaited } from './awaited.ts'
import { CountryField } from './CountryField.tsx'
import { PhoneField } from './PhoneField.tsx'
import { registrationOf } from './registrationOf.ts'

export function SignUp() {
  return (
    <ErrorBoundary>
      <SignUpForm />
    </ErrorBoundary>
  )
}

function SignUpForm() {
  const { shell, field, form } = useEndpointForm({
    endpoint: register,
    schema: signUpForm,
    bodyOf: registrationOf,
    onDone: (_, { email }) => {
      rememberAwaited(email.trim())
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
  return (
    <Form {...shell} submitLabel="Create an account" wide label="Sign up">
      <TextField label="Full name" autoComplete="name" {...field('fullname')} />
      <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
      <PhoneField label="Phone number" {...field('phone')} />
      <CountryField {...field('country')} />
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
        hint="Whose it is sees your initials and the day you joined."
        {...field('referralID')}
      />
      <CheckboxField label={<Consent />} {...field('acceptedTerms')} />
    </Form>
  )
}

// In a tab of their own: what has been typed stays.
function Consent() {
  return (
    <>
      I am 18 or older and accept the{' '}
      <a href="/terms-of-service" target="_blank" rel="noopener">
        Terms of Service
      </a>{' '}
      and{' '}
      <a href="/privacy-policy" target="_blank" rel="noopener">
        Privacy Policy
      </a>
    </>
  )
}
