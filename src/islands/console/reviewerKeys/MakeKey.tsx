import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { Proposal } from '../../../contract/console/proposals.ts'
import { addReviewerKey } from '../../../contract/console/reviewerKeys.ts'
import { secretField } from '../../../contract/fields.ts'
import { isCommonPassword } from '../../../contract/identity/commonPasswords.ts'
import { computeRecipientFingerprint } from '../../../contract/identity/kyc.ts'
import { Button } from '../../../design/Button.tsx'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { Progress } from '../../../design/Progress.tsx'
import { StrengthMeter } from '../../identity/profile/StrengthMeter.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { useSession } from '../../lib/useSession.ts'
import { OutcomeNotice } from '../cases/Case.tsx'
import { CancelButton } from '../cases/ConfirmedForm.tsx'
import { withFactor } from '../cases/factor.tsx'
import type { LockedKey } from './keyWork.ts'

interface MakeKeyProps {
  /** Whether the new key replaces one in use. */
  replaces: boolean
  onMade: () => void
  onClose: () => void
}

/** Creates a key in this browser. The private key leaves it only encrypted with the passphrase. */
export function MakeKey({ replaces, onMade, onClose }: MakeKeyProps) {
  const session = useSession()
  const [progress, setProgress] = useState(0)
  const [made, setMade] = useState<string | null>(null)
  // After a wrong password, the same key is sent again.
  const kept = useRef<{ passphrase: string; key: LockedKey }>(null)
  const { shell, field, form } = useEndpointForm({
    endpoint: addReviewerKey,
    schema: keyForm,
    bodyOf: ({ password }) => ({ password, method: 'passphrase' as const, recipient: '', identity: '' }),
    send: async (content): Promise<Proposal> => {
      const passphrase = String(form.getValues('passphrase'))
      if (kept.current?.passphrase !== passphrase) {
        setProgress(0)
        const { newLockedKey } = await import('./keyWork.ts')
        kept.current = { passphrase, key: await newLockedKey(passphrase, setProgress) }
      }
      const { password = '' } = content.body ?? {}
      const body = { ...kept.current.key, method: 'passphrase' as const, password }
      return withFactor(addReviewerKey, 'Your new document key')({ ...content, body })
    },
    failures: 'form',
    explained: ['wrong_password'],
    onFailure: ({ code, msg }) => {
      if (code === 'wrong_password') form.setError('password', { message: msg })
    },
    onDone: async () => {
      onMade()
      setMade(kept.current === null ? '' : await computeRecipientFingerprint(kept.current.key.recipient))
      kept.current = null
    },
  })
  if (made !== null) {
    return (
      <div className="stack">
        <OutcomeNotice
          tone="success"
          title="Your key is waiting for approval"
          text={
            <span>
              Its fingerprint is <code translate="no">{made}</code>. Give it to a colleague in person or by
              phone. They compare it and approve the proposal. New documents are then encrypted to your key.
            </span>
          }
        />
        <div className="row">
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    )
  }
  return (
    <Form
      {...shell}
      submitLabel="Create key"
      actions={<CancelButton hidden={shell.pending} onClick={onClose} />}
    >
      <Notice tone="caution" title="Nobody can reset the passphrase">
        It never leaves this browser. If you lose it, you need a new key, and a colleague has to encrypt the
        documents again.
      </Notice>
      {replaces && (
        <p>
          Once approved, the new key replaces your current one. Keep the old passphrase: you need it to
          encrypt the older documents again.
        </p>
      )}
      <input
        type="text"
        autoComplete="username"
        value={`Document key of ${session?.name ?? ''}`}
        readOnly
        hidden
      />
      <PasswordField label="Passphrase" autoComplete="new-password" {...field('passphrase')} />
      <StrengthMeter
        password={String(form.watch('passphrase') ?? '')}
        known={[session?.name ?? '', session?.email ?? '']}
        min={PASSPHRASE_MIN}
      />
      <PasswordField label="Passphrase again" autoComplete="new-password" {...field('repeated')} />
      <PasswordField
        label="Password of your account"
        hint="It protects you if somebody finds your session open."
        autoComplete="current-password"
        {...field('password')}
      />
      {shell.pending && <Progress progress={progress} what="Locking the key with your passphrase" />}
    </Form>
  )
}

/** Longer than for passwords: with a copy of the database, an attacker can try passphrases without a limit. */
const PASSPHRASE_MIN = 12

const PASSPHRASE_PROBLEM = `Please use at least ${PASSPHRASE_MIN} characters`

export const keyForm = z
  .object({
    passphrase: z.string({ error: PASSPHRASE_PROBLEM }).check(
      z.minLength(PASSPHRASE_MIN, PASSPHRASE_PROBLEM),
      z.maxLength(256, 'Please use at most 256 characters'),
      z.refine((text: string) => !isCommonPassword(text), 'This is one of the most common passwords'),
    ),
    repeated: z.string({ error: 'Please repeat the passphrase' }),
    password: secretField('Please enter your password'),
  })
  .check(
    z.refine(({ passphrase, repeated }) => passphrase === repeated, {
      error: 'Passphrases must match',
      path: ['repeated'],
    }),
    // The server sees the password at each sign-in, and must never see the passphrase.
    z.refine(({ passphrase, password }) => passphrase !== password, {
      error: 'Please do not use your account’s password: our server sees it when you sign in',
      path: ['passphrase'],
    }),
  )
