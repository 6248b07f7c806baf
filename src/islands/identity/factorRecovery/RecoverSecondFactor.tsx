import { useState } from 'react'
import {
  confirmFactorRecovery,
  mailedCodeForm,
  requestFactorRecovery,
} from '../../../contract/identity/factorRecovery.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { CodeField, TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'

export const RecoverSecondFactor = withErrorBoundary(Steps)

interface Credentials {
  email: string
  password: string
}

function Steps() {
  const [credentials, setCredentials] = useState<Credentials | null>(null)
  const [email, setEmail] = useState('')
  const [filed, setFiled] = useState<string | null>(null)
  if (filed !== null)
    return (
      <Notice tone="success" live actions={<ButtonLink href="/">Home</ButtonLink>}>
        {filed}
      </Notice>
    )
  if (credentials === null)
    return (
      <RequestForm
        email={email}
        onRequested={(typed) => {
          setEmail(typed.email)
          setCredentials(typed)
        }}
      />
    )
  return <CodeForm credentials={credentials} onFiled={setFiled} onBack={() => setCredentials(null)} />
}

function RequestForm({
  email,
  onRequested,
}: {
  email: string
  onRequested: (credentials: Credentials) => void
}) {
  const { shell, field } = useEndpointForm({
    endpoint: requestFactorRecovery,
    defaultValues: { email },
    onDone: (_, { email, password }) => onRequested({ email: email.trim(), password }),
  })
  return (
    <Form {...shell} submitLabel="Mail Me a Code" wide label="Lost your second factor">
      <TextField label="Email" type="email" autoComplete="username" {...field('email')} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
    </Form>
  )
}

interface CodeFormProps {
  credentials: Credentials
  onFiled: (msg: string) => void
  onBack: () => void
}

function CodeForm({ credentials, onFiled, onBack }: CodeFormProps) {
  const { shell, field } = useEndpointForm({
    endpoint: confirmFactorRecovery,
    schema: mailedCodeForm,
    bodyOf: ({ code }) => ({ ...credentials, code }),
    beside: { invalid_code: 'code' },
    onDone: ({ msg }) => onFiled(msg),
  })
  return (
    <Form
      {...shell}
      submitLabel="Send Request"
      wide
      label="Mailed code"
      actions={
        <Button variant="quiet" wide onClick={onBack}>
          Start again
        </Button>
      }
    >
      <Notice live>
        If the e-mail address and password are right and the account has a second factor, a code is on its way
        to <span translate="no">{credentials.email}</span>. Check your spam folder too.
      </Notice>
      <CodeField label="Code from the mail" maxLength={20} {...field('code')} />
    </Form>
  )
}
