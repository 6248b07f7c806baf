import { useEffect, useEffectEvent, useState } from 'react'
import { CodeField, type CodeFieldProps } from '../../../design/Field.tsx'
import type { ApiFailure } from '../../lib/ApiFailure.ts'

interface Form {
  setError: (name: string, error: { message: string }) => void
  setFocus: (name: 'proof') => void
}

/** State of the mailed code that confirms a new second factor. It is requested once the server has mailed it. */
export function useMailedCode(isRequestedAtOnce = false) {
  const [isRequested, setRequested] = useState(isRequestedAtOnce)
  return {
    isRequested,
    onFailure: ({ code }: Pick<ApiFailure, 'code'>, form: Form) => {
      if (code !== 'step_up_required') return
      if (isRequested) form.setError('proof', { message: 'Enter the code. We mailed you a new one.' })
      setRequested(true)
    },
  }
}

interface MailedCodeProps {
  email: string
  form: Form
  field: Omit<CodeFieldProps, 'label'>
}

export function MailedCode({ email, form, field }: MailedCodeProps) {
  const focus = useEffectEvent(() => form.setFocus('proof'))
  useEffect(() => focus(), [])
  return (
    <CodeField
      label="Code in our mail"
      hint={`We mailed six digits to ${email}. They work for 10 minutes. To get new ones, send this form without them.`}
      {...field}
    />
  )
}
