import { useState } from 'react'
import type * as z from 'zod/mini'
import { isAboutCode } from '../../lib/ApiFailure.ts'
import { type EndpointForm, type EndpointFormOptions, useEndpointForm } from '../../lib/endpointForm.ts'
import { type PasskeyProof, usePasskeyProof } from '../../lib/passkey.tsx'

/** What such a form asks for, whatever else. */
interface Confirmed {
  password?: unknown
  code?: unknown
  passkey?: unknown
}

type Options<B extends z.ZodMiniType, A, S extends z.ZodMiniType> = Omit<
  EndpointFormOptions<B, A, S>,
  'explained' | 'failures' | 'onFailure'
> & {
  /** The code is asked for from the start, not only once the server says that it is missing. */
  asksAtOnce?: boolean
}

export interface ConfirmedForm<S extends z.ZodMiniType> extends EndpointForm<S> {
  proof: {
    passkey: PasskeyProof
    /** A second factor is asked for. */
    isAsked: boolean
    /** An authenticator app can give the code. */
    byApp: boolean
  }
}

const EXPLAINED = [
  'wrong_password',
  'invalid_code',
  'too_many_codes',
  'invalid_passkey',
  'second_factor_required',
]

/** A form in a dialog that takes the password and, once the server asks for it, a code or a passkey. */
export function useConfirmedForm<
  B extends z.ZodMiniType,
  A,
  S extends z.ZodMiniType<unknown, Confirmed> = B & z.ZodMiniType<unknown, Confirmed>,
>({ asksAtOnce = false, ...options }: Options<B, A, S>): ConfirmedForm<S> {
  const passkey = usePasskeyProof()
  const [isAsked, setAsked] = useState(asksAtOnce)
  const [methods, setMethods] = useState<readonly string[]>(['totp'])
  const made = useEndpointForm<B, A, S>({
    ...options,
    failures: 'form',
    explained: EXPLAINED,
    onFailure: (failure) => {
      const { code, msg } = failure
      passkey.meet(failure)
      if (failure.methods !== undefined) setMethods(failure.methods)
      if (code === 'wrong_password') made.form.setError('password', { message: msg })
      if (isAboutCode(code)) made.form.setError('code', { message: msg })
      if (code !== 'second_factor_required') return
      // Asked for already: then it was left blank.
      if (isAsked && !passkey.isChosen && failure.passkey === undefined)
        made.form.setError('code', { message: 'Please enter the code' })
      setAsked(true)
    },
  })
  const shell = passkey.shellOf(made.shell, (answer) => made.form.setValue(fieldNamed<S>('passkey'), answer))
  return { ...made, shell, proof: { passkey, isAsked, byApp: methods.includes('totp') } }
}

/** `S` takes each field of `Confirmed`: its constraint says so. */
function fieldNamed<S extends z.ZodMiniType>(name: keyof Confirmed) {
  return name as keyof z.input<S> & string
}
