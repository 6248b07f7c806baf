import { renewRecoveryCodes } from '../../../contract/identity/factors.ts'
import { PasswordAndCode } from './PasswordAndCode.tsx'

interface RenewProps {
  email: string
  hasPasskey: boolean
  /** The new codes, which are shown this once. */
  onDone: (recoveryCodes: readonly string[]) => void
}

export function RenewRecoveryCodes({ email, hasPasskey, onDone }: RenewProps) {
  return (
    <PasswordAndCode
      endpoint={renewRecoveryCodes}
      email={email}
      hasPasskey={hasPasskey}
      label="New recovery codes"
      submitLabel="Get New Codes"
      submitVariant="primary"
      onDone={({ recoveryCodes }) => onDone(recoveryCodes)}
    >
      <p className="small soft">
        You get ten new codes, and those that you have stop working. You get a mail about it, and for the next
        72 hours each withdrawal asks for a code.
      </p>
    </PasswordAndCode>
  )
}
