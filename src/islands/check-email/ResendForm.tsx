import { resendVerification } from '../../contract/auth.ts'
import { Form } from '../../design/Form.tsx'
import { TextField } from '../../design/TextField.tsx'
import { toast } from '../../design/toasts.ts'
import { useEndpointForm } from '../lib/endpointForm.ts'

/** Has the verification link mailed again, asking for the address first. */
export function ResendForm() {
  const { shell, field } = useEndpointForm({
    endpoint: resendVerification,
    onDone: ({ msg }) => toast.success(msg),
  })
  return (
    <Form {...shell} submitLabel="Send the link again" wide label="Send the link again">
      <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
    </Form>
  )
}
