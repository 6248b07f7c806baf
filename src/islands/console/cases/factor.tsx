import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { useEffect, useEffectEvent, useRef } from 'react'
import * as z from 'zod/mini'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { PasskeyQuestion } from '../../../contract/fields.ts'
import { requiredText } from '../../../contract/fields.ts'
import { Button } from '../../../design/Button.tsx'
import { CodeField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { type CallOptions, call } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { PasskeyOrCode, usePasskeyProof } from '../../lib/passkey.tsx'

/** A code of the operator's app, or the answer of their passkey. */
type FactorProof = { readonly code: string } | { readonly passkey: string }

interface FactorAsked {
  /** What is confirmed, with the amount and the item: "Credit $6,000.00 to Ana Torres, for DEP-7K2M". */
  readonly what: string
  /** The server's sentence that says why a factor is needed. */
  readonly why: string
  readonly methods: readonly string[]
  readonly passkey: PasskeyQuestion | undefined
  /** Why the last proof was refused. */
  readonly problem: string | null
  readonly isSending: boolean
  /** Null cancels. */
  readonly answer: (proof: FactorProof | null) => void
}

/**
 * For `send` of `useEndpointForm`: sends a form's call and, where the server asks for a second factor, asks the operator and
 * sends the same call again with it.
 * @param what is confirmed, in words, from what is sent
 */
export function withFactor<B extends z.ZodMiniType, A>(
  endpoint: Endpoint<B, z.ZodMiniType<undefined>, A>,
  what: string | ((body: z.input<B>) => string),
): (content: CallOptions<B, z.ZodMiniType<undefined>>) => Promise<A> {
  return async (content) => {
    const { quiet } = content
    const send = (proof: Partial<FactorProof>) =>
      call(endpoint, {
        ...content,
        body: { ...(content.body as object), ...proof } as z.input<B>,
        quiet: (failure) =>
          needsProof(failure) || (typeof quiet === 'function' ? quiet(failure) : quiet === true),
      })
    return sendUntilAccepted(send, typeof what === 'string' ? what : what(content.body as z.input<B>))
  }
}

/** Sends again with each given proof until it is accepted, or refused for another reason. */
async function sendUntilAccepted<A>(
  send: (proof: Partial<FactorProof>) => Promise<A>,
  what: string,
): Promise<A> {
  let proof: Partial<FactorProof> = {}
  try {
    for (;;) {
      try {
        return await send(proof)
      } catch (failure) {
        if (!(failure instanceof ApiFailure) || !needsProof(failure)) throw failure
        proof = await askFor(what, failure)
      }
    }
  } finally {
    $asked.set(null)
  }
}

/** What the dialog asks now; null while it is closed. */
const $asked = atom<FactorAsked | null>(null)

const PROOF_REFUSALS = ['step_up_required', 'invalid_code', 'invalid_passkey']

function needsProof({ code }: Pick<ApiFailure, 'code'>): boolean {
  return PROOF_REFUSALS.includes(code)
}

function askFor(what: string, failure: ApiFailure): Promise<FactorProof> {
  return new Promise((resolve, reject) => {
    const asked = $asked.get()
    const isFirst = failure.code === 'step_up_required'
    $asked.set({
      what,
      why: isFirst ? failure.msg : (asked?.why ?? ''),
      methods: failure.methods ?? asked?.methods ?? [],
      // After a wrong code the passkey's question is still valid.
      passkey: failure.methods === undefined ? asked?.passkey : failure.passkey,
      problem: isFirst ? null : failure.msg,
      isSending: false,
      answer: (proof) => {
        const sent = $asked.get()
        if (proof === null)
          return reject(
            new ApiFailure(403, { code: 'not_confirmed', msg: 'Nothing was done: you did not confirm it.' }),
          )
        if (sent !== null) $asked.set({ ...sent, isSending: true })
        resolve(proof)
      },
    })
  })
}

const codeSchema = z.object({ code: requiredText('Please enter the code', 64) })

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
  const form = useForm<typeof codeSchema>(codeSchema)
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
