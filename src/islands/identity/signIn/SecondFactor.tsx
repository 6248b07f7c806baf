import { type InputEvent as TypedEvent, useEffect, useEffectEvent, useState } from 'react'
import { CodeField } from '../../../design/Field.tsx'
import { Notice } from '../../../design/Notice.tsx'
import type { ApiFailure } from '../../lib/ApiFailure.ts'
import type { FieldAttributes } from '../../lib/form.ts'
import { type PasskeyProof, usePasskeyProof } from '../../lib/passkey.tsx'

export interface FactorState {
  /** Accepted second factors; null until the server asks for one. */
  readonly methods: readonly string[] | null
  readonly passkey: PasskeyProof
  readonly asksCode: boolean
  /** For the form's `onFailure`. */
  readonly onFailure: (failure: ApiFailure) => void
}

/** Error codes of a sign-in that `SecondFactor` shows: for the form's `beside` and `explained`. */
export const FACTOR_FAILURES = {
  beside: { invalid_code: 'code', too_many_codes: 'code' },
  explained: ['two_factor_required', 'invalid_passkey'],
} as const

/** The second factor of a sign-in, once the server asks for it. */
export function useSecondFactor(): FactorState {
  const [methods, setMethods] = useState<readonly string[] | null>(null)
  const passkey = usePasskeyProof()
  return {
    methods,
    passkey,
    asksCode: methods !== null && !passkey.isChosen,
    onFailure: (failure) => {
      passkey.onFailure(failure)
      if (failure.code === 'two_factor_required') setMethods(failure.methods ?? ['totp'])
    },
  }
}

interface SecondFactorProps {
  factor: FactorState
  code: FieldAttributes
  focusCode: () => void
}

/** The code field or the passkey's instructions, and the way out for a lost factor. Empty until the server asks. */
export function SecondFactor({ factor, code, focusCode }: SecondFactorProps) {
  const { methods, passkey, asksCode } = factor
  const focus = useEffectEvent(focusCode)
  useEffect(() => {
    if (asksCode) focus()
  }, [asksCode])
  return (
    <>
      {passkey.isChosen && (
        <Notice live title="One more step">
          Follow your browser to confirm with your passkey.
        </Notice>
      )}
      {methods !== null && asksCode && (
        <CodeField
          label="Authentication code"
          kind="text"
          hint={describeCode(methods, passkey.isOffered)}
          onInput={sendSixthDigit}
          {...code}
        />
      )}
      {methods !== null && (
        <p className="small">
          <a href="/recover-second-factor">Lost your second factor and the recovery codes?</a>
        </p>
      )}
    </>
  )
}

/** Sends a code of the app with its sixth typed digit. Pasted and filled-in codes wait for the button. */
function sendSixthDigit({ nativeEvent, currentTarget }: TypedEvent<HTMLInputElement>): void {
  const isTyped = nativeEvent.data?.length === 1
  if (isTyped && /^\d{6}$/.test(currentTarget.value)) currentTarget.form?.requestSubmit()
}

function describeCode(methods: readonly string[], hasPasskeys: boolean): string {
  if (methods.includes('totp'))
    return 'From your authenticator app, sent with its sixth digit, or a recovery code.'
  const code = 'Enter one of your recovery codes.'
  return hasPasskeys ? code : `This browser has no passkeys. ${code}`
}
