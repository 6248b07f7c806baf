import { useStore } from '@nanostores/react'
import { useEffect, useEffectEvent, useRef } from 'react'
import * as z from 'zod/mini'
import { requiredText } from '../../../contract/fields.ts'
import { Button } from '../../../design/Button.tsx'
import { CodeField } from '../../../design/CodeField.tsx'
import { Form } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { useForm } from '../../lib/form.ts'
import { PasskeyOrCode, usePasskeyProof } from '../../lib/passkey.tsx'
import { $asked, type FactorAsked } from './factor.ts'

const schema = z.object({ code: requiredText('Please enter the code', 64) })

/** Asks for a second factor and says what it confirms. Mounted once on each screen. */
export function FactorDialog() {
  const asked = useStore($asked, { ssr: () => null })
  if (asked === null) return null
  return (
    <Modal open onClose={() => asked.answer(null)} title="Confirm with your second factor">
      <Ask asked={asked} />
    </Modal>
  )
}

function Ask({ asked }: { asked: FactorAsked }) {
  const { what, why, methods, problem, isSending, answer } = asked
  const form = useForm<typeof schema>(schema)
  const passkey = usePasskeyProof(asked.passkey)
  const signed = useRef('')
  const takesCode = methods.includes('totp')
  const asksCode = takesCode && !passkey.isChosen
  const focus = useEffectEvent(() => form.setFocus('code'))
  // Otherwise the dialog focuses its first control, the close button.
  useEffect(() => {
    if (asksCode) focus()
  }, [asksCode])
  const sendCode = form.handleSubmit(({ code }) => answer({ code }))
  const confirming = passkey.shellOf(
    {
      pending: isSending || form.pending,
      formError: problem,
      onSubmit: (event) => {
        event.preventDefault()
        if (signed.current === '') sendCode(event)
        else answer({ passkey: signed.current })
      },
    },
    (given) => {
      signed.current = given
    },
  )
  const cancel = (
    <Button variant="quiet" onClick={() => answer(null)}>
      Cancel
    </Button>
  )
  const about = (
    <>
      <p>
        <strong>{what}</strong>
      </p>
      <p className="soft small">{why}</p>
    </>
  )
  if (!asksCode && !passkey.isChosen)
    return (
      <div className="stack">
        {about}
        {cancel}
      </div>
    )
  return (
    <Form
      {...confirming}
      submitLabel={asksCode ? 'Confirm' : 'Confirm with your passkey'}
      actions={
        isSending ? null : (
          <>
            {takesCode && <PasskeyOrCode passkey={passkey} />}
            {cancel}
          </>
        )
      }
    >
      {about}
      {asksCode ? (
        <CodeField
          label="Code"
          hint="The six digits that your authenticator app shows now. A code that you have used, also to sign in, is refused: wait for the next one."
          {...form.field('code')}
        />
      ) : (
        <p className="small soft">
          Your browser asks for your passkey, with its PIN, your finger or your face. It confirms only this.
        </p>
      )}
    </Form>
  )
}
