import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { useEffect, useEffectEvent, useRef } from 'react'
import * as z from 'zod/mini'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { PasskeyQuestion } from '../../../contract/fields.ts'
import { requiredText } from '../../../contract/fields.ts'
import { confirmFactor } from '../../../contract/identity/factors.ts'
import { Button } from '../../../design/Button.tsx'
import { CodeField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { type CallOptions, call, setFactorRenewal } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { PasskeyOrCode, usePasskeyProof } from '../../lib/passkey.tsx'

/** A code from the operator's app, or the answer of their passkey. */
type FactorProof = { readonly code: string } | { readonly passkey: string }

interface FactorRequest {
  /** The action that the factor confirms, with amount and item: "Credit $6,000.00 to Ana Torres, for DEP-7K2M". */
  readonly what: string
  /** The server's sentence that says why a factor is required. */
  readonly why: string
  readonly methods: readonly string[]
  readonly passkey: PasskeyQuestion | undefined
  /** Why the last proof was refused. */
  readonly problem: string | null
  readonly isSending: boolean
  /** Sends a proof; null cancels. */
  readonly answer: (proof: FactorProof | null) => void
}

/**
 * For `send` of `useEndpointForm`: sends a form's call. If the server requires a second factor, asks the operator for it and
 * repeats the call with it.
 * @param what action the factor confirms, in words, as text or from the body
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
          isProofRefusal(failure) || (typeof quiet === 'function' ? quiet(failure) : quiet === true),
      })
    return sendUntilAccepted(send, typeof what === 'string' ? what : what(content.body as z.input<B>))
  }
}

/** Repeats a call with each proof that the operator gives, until it succeeds or fails for another reason. */
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
        if (!(failure instanceof ApiFailure) || !isProofRefusal(failure)) throw failure
        proof = await requestProof(what, failure)
      }
    }
  } finally {
    $request.set(null)
  }
}

let renewing: Promise<undefined> | null = null

/** Asks the operator to renew the session's factor. Calls at the same time share one dialog. */
function requestFreshFactor(): Promise<undefined> {
  renewing ??= sendUntilAccepted(
    (proof) => call(confirmFactor, { body: proof, quiet: isProofRefusal }),
    'That it is still you',
  ).finally(() => {
    renewing = null
  })
  return renewing
}

/** The open request; null while the dialog is closed. */
const $request = atom<FactorRequest | null>(null)

const PROOF_REFUSALS = ['step_up_required', 'invalid_code', 'invalid_passkey']

function isProofRefusal({ code }: Pick<ApiFailure, 'code'>): boolean {
  return PROOF_REFUSALS.includes(code)
}

function requestProof(what: string, failure: ApiFailure): Promise<FactorProof> {
  return new Promise((resolve, reject) => {
    const previous = $request.get()
    const isFirst = failure.code === 'step_up_required'
    $request.set({
      what,
      why: isFirst ? failure.msg : (previous?.why ?? ''),
      methods: failure.methods ?? previous?.methods ?? [],
      // After a wrong code, the passkey challenge is still valid.
      passkey: failure.methods === undefined ? previous?.passkey : failure.passkey,
      problem: isFirst ? null : failure.msg,
      isSending: false,
      answer: (proof) => {
        const current = $request.get()
        if (proof === null)
          return reject(
            new ApiFailure(403, { code: 'not_confirmed', msg: 'Nothing was done: you did not confirm it.' }),
          )
        if (current !== null) $request.set({ ...current, isSending: true })
        resolve(proof)
      },
    })
  })
}

const codeSchema = z.object({ code: requiredText('Please enter the code', 64) })

/** Asks for a second factor and names the action that it confirms. Mounted once per screen. */
export function FactorDialog() {
  const request = useStore($request, { ssr: () => null })
  useEffect(() => {
    setFactorRenewal(requestFreshFactor)
    return () => setFactorRenewal(null)
  }, [])
  if (request === null) return null
  return (
    <Modal open onClose={() => request.answer(null)} title="Confirm with your second factor">
      <FactorForm request={request} />
    </Modal>
  )
}

function FactorForm({ request }: { request: FactorRequest }) {
  const { what, why, methods, problem, isSending, answer } = request
  const form = useForm<typeof codeSchema>(codeSchema)
  const passkey = usePasskeyProof(request.passkey)
  const signed = useRef('')
  const takesCode = methods.includes('totp')
  const asksCode = takesCode && !passkey.isChosen
  const focus = useEffectEvent(() => form.setFocus('code'))
  // Otherwise the dialog would focus its first control, the close button.
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
