import { resendVerification } from '../../../contract/identity/signIn.ts'
import { Button } from '../../../design/Button.tsx'
import { toast } from '../../../design/toasts.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'

export function ResendButton({ email }: { email: string }) {
  const resend = useAction(async () => {
    const { msg } = await call(resendVerification, { body: { email } })
    toast.success(msg)
  })
  return (
    <Button busy={resend.busy} onClick={resend.start}>
      Send the link again
    </Button>
  )
}
