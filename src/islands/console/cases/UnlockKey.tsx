import { useRef, useState } from 'react'
import type { ReviewerKey } from '../../../contract/console/reviewerKeys.ts'
import { Form } from '../../../design/Form.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { Progress } from '../../../design/Progress.tsx'
import { describeFailure } from '../../lib/ApiFailure.ts'
import { AgeFault } from '../../lib/age/AgeFault.ts'
import { keychain } from './keychain.ts'

export interface UnlockKeyProps {
  /** The operator's own key, with its locked identity. */
  reviewerKey: ReviewerKey
  submitLabel: string
  onUnlocked: () => void
}

/** Asks for the passphrase of a reviewer's key, and unlocks the key on this page. */
export function UnlockKey({ reviewerKey, submitLabel, onUnlocked }: UnlockKeyProps) {
  const { fingerprint, identity } = reviewerKey
  const input = useRef<HTMLInputElement>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const [wrong, setWrong] = useState<string>()
  const [failure, setFailure] = useState<string | null>(null)
  const unlock = async (passphrase: string) => {
    setWrong(undefined)
    setFailure(null)
    if (passphrase === '') return setWrong('Please enter the passphrase')
    setProgress(0)
    try {
      const { unlockIdentity } = await import('../../lib/age/passphrase.ts')
      keychain.keep(fingerprint, await unlockIdentity(identity ?? '', passphrase, setProgress))
      onUnlocked()
    } catch (error) {
      if (!(error instanceof AgeFault)) setFailure(describeFailure(error))
      else if (error.reason === 'wrong_passphrase') setWrong('This is not the passphrase of that key')
      else setFailure(KEY_ALTERED)
    } finally {
      setProgress(null)
    }
  }
  return (
    <Form
      label="Unlock your key"
      onSubmit={(event) => {
        event.preventDefault()
        void unlock(input.current?.value ?? '')
      }}
      pending={progress !== null}
      formError={failure}
      submitLabel={submitLabel}
    >
      {/* So that password managers store it apart from the account's password. */}
      <input type="text" autoComplete="username" value={`Document key ${fingerprint}`} readOnly hidden />
      <PasswordField
        label="Passphrase of your key"
        hint={`Key ${fingerprint}. You enter it once. The key stays unlocked until you leave this page, lock it, or do nothing for 15 minutes.`}
        autoComplete="current-password"
        ref={input}
        error={wrong}
      />
      {progress !== null && <Progress progress={progress} what="Unlocking" />}
    </Form>
  )
}

const KEY_ALTERED =
  'The stored key was changed and can no longer be unlocked. Please tell a colleague, and create a new key.'
