import { useState } from 'react'
import type { PasskeyQuestion } from '../../contract/fields.ts'
import type { FormProps } from '../../design/Form.tsx'
import type { ApiFailure } from './ApiFailure.ts'
import { askPasskey, type PasskeyProblem } from './passkeyPrompt.ts'

type Shell = Pick<FormProps, 'onSubmit' | 'pending' | 'formError'>

export interface PasskeyProof {
  /** A passkey can be used here. */
  isOffered: boolean
  /** What is asked for now, instead of a code. */
  isChosen: boolean
  choose: (way: 'passkey' | 'code') => void
  /** For the form's `onFailure`: takes what the refusal asks a passkey. */
  meet: (failure: Pick<ApiFailure, 'passkey' | 'methods' | 'code' | 'msg'>) => void
  /** The form's shell, whose submit asks the passkey first. `send` puts its answer among what is sent; blank is none. */
  shellOf: (shell: Shell, send: (answer: string) => void) => Shell
}

const canAsk = () => typeof PublicKeyCredential === 'function'

/**
 * Lets a form be confirmed with a passkey where the server's refusal asks one, or with a code instead.
 * @param given what is asked, where somebody else keeps it
 */
export function usePasskeyProof(given?: PasskeyQuestion): PasskeyProof {
  const [met, setMet] = useState<PasskeyQuestion | null>(null)
  const question = given ?? met
  const [way, setWay] = useState<'passkey' | 'code'>('passkey')
  const [isPrompting, setPrompting] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isOffered = question !== null && canAsk()
  const isChosen = isOffered && way === 'passkey'
  return {
    isOffered,
    isChosen,
    choose: (next) => {
      setProblem(null)
      setWay(next)
    },
    meet: ({ passkey, methods, code, msg }) => {
      // Each question can be answered once: after a refusal there is another, or none where no passkey would do.
      if (methods !== undefined) setMet(passkey ?? null)
      setProblem(code === 'invalid_passkey' ? msg : null)
    },
    shellOf: (shell, send) => ({
      pending: shell.pending || isPrompting,
      formError: problem ?? shell.formError,
      onSubmit: (event) => {
        event.preventDefault()
        setProblem(null)
        if (question === null || !isChosen) {
          send('')
          return shell.onSubmit(event)
        }
        setPrompting(true)
        void askPasskey(question)
          .then((answer) => {
            send(answer)
            shell.onSubmit(event)
          })
          .catch((error: PasskeyProblem) => setProblem(error.message))
          .finally(() => setPrompting(false))
      },
    }),
  }
}
