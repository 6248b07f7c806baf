import { atom } from 'nanostores'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { PasskeyQuestion } from '../../../contract/fields.ts'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { type CallOptions, call } from '../../lib/api.ts'

/** The proof that an operator gives: a code of their app, or what their passkey answered. */
export type FactorProof = { readonly code: string } | { readonly passkey: string }

/** What the dialog asks for, and for what. */
export interface FactorAsked {
  /** What is confirmed, with the amount and the item: "Credit $6,000.00 to Ana Torres, for DEP-7K2M". */
  readonly what: string
  /** Why it is asked for, as the server says it. */
  readonly why: string
  readonly methods: readonly string[]
  readonly passkey: PasskeyQuestion | undefined
  /** Why the proof before was refused. */
  readonly problem: string | null
  /** The proof was given and is on its way. */
  readonly isSending: boolean
  /** Null leaves without confirming. */
  readonly answer: (proof: FactorProof | null) => void
}

/**
 * Sends a form's call; where the server asks for a second factor, asks the operator and sends the very same call again
 * with it. For `send` of `useEndpointForm`.
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
        quiet: (failure) => asks(failure) || (typeof quiet === 'function' ? quiet(failure) : quiet === true),
      })
    return asLongAsAsked(send, typeof what === 'string' ? what : what(content.body as z.input<B>))
  }
}

/** Sends again with each proof that is given, until it is taken or refused for another reason. */
async function asLongAsAsked<A>(send: (proof: Partial<FactorProof>) => Promise<A>, what: string): Promise<A> {
  let proof: Partial<FactorProof> = {}
  try {
    for (;;) {
      try {
        return await send(proof)
      } catch (failure) {
        if (!(failure instanceof ApiFailure) || !asks(failure)) throw failure
        proof = await askFor(what, failure)
      }
    }
  } finally {
    $asked.set(null)
  }
}

/** What the dialog asks now; null while it is closed. */
export const $asked = atom<FactorAsked | null>(null)

const ASKING = ['step_up_required', 'invalid_code', 'invalid_passkey']

function asks({ code }: Pick<ApiFailure, 'code'>): boolean {
  return ASKING.includes(code)
}

function askFor(what: string, failure: ApiFailure): Promise<FactorProof> {
  return new Promise((resolve, reject) => {
    const asked = $asked.get()
    const isFirst = failure.code === 'step_up_required'
    $asked.set({
      what,
      why: isFirst ? failure.msg : (asked?.why ?? ''),
      methods: failure.methods ?? asked?.methods ?? [],
      // A wrong code leaves the passkey's question open.
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
