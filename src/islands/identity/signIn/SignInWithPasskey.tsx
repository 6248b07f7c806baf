import { useState, useSyncExternalStore } from 'react'
import {
  beginPasskeySignIn,
  type SessionAnswer,
  signInWithPasskey,
} from '../../../contract/identity/signIn.ts'
import { Button } from '../../../design/Button.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { PasskeyProblem, requestPasskey } from '../../lib/passkey.tsx'

/** Signs in with a passkey alone, in browsers that have passkeys. */
export function SignInWithPasskey({ onDone }: { onDone: (session: SessionAnswer) => void }) {
  const isSupported = useSyncExternalStore(
    () => () => undefined,
    () => typeof PublicKeyCredential === 'function',
    () => false,
  )
  const [problem, setProblem] = useState<string | null>(null)
  const { busy, start } = useAction(async () => {
    setProblem(null)
    try {
      const question = await call(beginPasskeySignIn, { quiet: true })
      const passkey = await requestPasskey(question, 'Sign in with your password instead.')
      onDone(await call(signInWithPasskey, { body: { passkey }, quiet: true }))
    } catch (error) {
      if (error instanceof ApiFailure) setProblem(error.msg)
      else if (error instanceof PasskeyProblem) setProblem(error.message)
      else throw error
    }
  })
  if (!isSupported) return null
  return (
    <>
      {problem !== null && (
        <Notice tone="danger" live>
          {problem}
        </Notice>
      )}
      <Button wide busy={busy} onClick={start}>
        Use a passkey
      </Button>
    </>
  )
}
