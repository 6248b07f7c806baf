import { useState } from 'react'
import { requestSignInLink } from '../../../contract/identity/signIn.ts'
import { Button } from '../../../design/Button.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { validateValues } from '../../lib/form.ts'

interface MailSignInLinkProps {
  /** The refusal of a sign-in after too many tries; null if there was none. */
  limited: string | null
  /** The address in the form. */
  email: () => string
  /** Receives the error in the address. */
  onProblem: (msg: string) => void
}

/** Mails a link that signs in without the password. Strangers who try wrong passwords cannot keep the owner out. */
export function MailSignInLink({ limited, email, onProblem }: MailSignInLinkProps) {
  const [requestedFor, setRequestedFor] = useState<string | null>(null)
  const request = useAction(async () => {
    const address = email().trim()
    const problem = validateValues(requestSignInLink.body, { email: address }).email
    if (problem) return onProblem(problem.msg)
    await call(requestSignInLink, { body: { email: address } })
    setRequestedFor(address)
  })
  const button = (
    <Button
      variant={limited === null ? 'quiet' : 'secondary'}
      wide
      busy={request.busy}
      onClick={request.start}
    >
      Mail me a sign-in link
    </Button>
  )
  if (requestedFor !== null)
    return (
      <Notice tone="success" title="Link sent" live actions={button}>
        If an investor has an account with {requestedFor}, a sign-in link is on its way. It works once, for 15
        minutes. Check your spam folder too.
      </Notice>
    )
  if (limited === null) return button
  return (
    <Notice tone="caution" live actions={button}>
      {limited} You can sign in now with a link that we mail you.
    </Notice>
  )
}
