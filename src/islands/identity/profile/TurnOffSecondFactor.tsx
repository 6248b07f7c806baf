import { twoFactorDisable } from '../../../contract/identity/factors.ts'
import { Notice } from '../../../design/Notice.tsx'
import { PasswordAndCode } from './PasswordAndCode.tsx'

interface TurnOffProps {
  email: string
  /** A passkey stays. */
  hasPasskey: boolean
  onDone: () => void
}

export function TurnOffSecondFactor({ email, hasPasskey, onDone }: TurnOffProps) {
  return (
    <PasswordAndCode
      endpoint={twoFactorDisable}
      email={email}
      hasPasskey={hasPasskey}
      label="Turn off the second factor"
      submitLabel="Turn Off"
      submitVariant="danger"
      onDone={onDone}
    >
      {hasPasskey ? (
        <Notice tone="caution" title="Your password and a passkey will open your account">
          Your recovery codes go on working. For the next 72 hours each withdrawal asks for proof.
        </Notice>
      ) : (
        <Notice tone="caution" title="Your password alone will open your account">
          Your recovery codes stop working, and for the next 72 hours each withdrawal asks for a code by
          e-mail.
        </Notice>
      )}
    </PasswordAndCode>
  )
}
