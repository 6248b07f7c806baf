import { useState } from 'react'
import * as z from 'zod/mini'
import type { ReviewerKey } from '../../contract/operator/reviewerKeys.ts'
import { secretField } from '../../contract/text.ts'
import { Form } from '../../design/Form.tsx'
import { PasswordField } from '../../design/PasswordField.tsx'
import { AgeFault } from '../lib/age/AgeFault.ts'
import { failureWords } from '../lib/failureWords.ts'
import { useForm } from '../lib/form.ts'
import { keychain } from './keychain.ts'
import { Working } from './Working.tsx'

export interface UnlockKeyProps {
  /** One's own, with its locked identity. */
  reviewerKey: ReviewerKey
  /** What the button does: "Unlock and open". */
  submitLabel: string
  onUnlocked: () => void
}

/** Asks for the passphrase of a reviewer's key, once for as long as the page stays. */
export function UnlockKey({ reviewerKey, submitLabel, onUnlocked }: UnlockKeyProps) {
  const { fingerprint, identity } = reviewerKey
  const form = useForm<typeof schema>(schema)
  const [progress, setProgress] = useState(0)
  const [failure, setFailure] = useState<string | null>(null)
  const unlock = async ({ passphrase }: z.input<typeof schema>) => {
    setFailure(null)
    setProgress(0)
    try {
      const { unlockIdentity } = await import('../lib/age/passphrase.ts')
      keychain.keep(fingerprint, await unlockIdentity(identity ?? '', passphrase, setProgress))
    } catch (error) {
      if (error instanceof AgeFault && error.reason === 'wrong_passphrase')
        form.setError('passphrase', { message: 'This is not the passphrase of that key' })
      else setFailure(error instanceof AgeFault ? KEY_ALTERED : failureWords(error))
      return
    }
    onUnlocked()
  }
  return (
    <Form
      label="Unlock your key"
      onSubmit={form.handleSubmit(unlock)}
      pending={form.pending}
      formError={failure}
      submitLabel={submitLabel}
    >
      {/* So that a password manager keeps it apart from the account's password. */}
      <input type="text" autoComplete="username" value={`Document key ${fingerprint}`} readOnly hidden />
      <PasswordField
        label="Passphrase of your key"
        hint={`Key ${fingerprint}. It is asked for once, until you leave this page, lock it, or do nothing for 15 minutes.`}
        autoComplete="current-password"
        {...form.field('passphrase')}
      />
      {form.pending && <Working progress={progress} what="Unlocking" />}
    </Form>
  )
}

const schema = z.object({ passphrase: secretField('Please enter the passphrase') })

const KEY_ALTERED =
  'This key was changed where it is stored, and cannot be unlocked any more. Please tell a colleague, and make a new one.'
