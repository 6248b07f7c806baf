import { LINK_PROBLEM } from '../../../contract/common.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import { type SessionAnswer, VERIFIED_ALREADY, verifyEmail } from '../../../contract/identity/signIn.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Loading } from '../../../design/Loading.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { saveToastForNextPage } from '../../../design/toasts.ts'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { call } from '../../lib/api.ts'
import { clearDrafts } from '../../lib/drafts.ts'
import { useResource } from '../../lib/resource.ts'
import { signIn } from '../../lib/session.ts'
import { useSearchParams } from '../../lib/url.ts'
import { savePendingEmail } from './pendingEmail.ts'
import { ResendButton } from './ResendButton.tsx'

export const VerifyEmail = withErrorBoundary(Opened)

function Opened() {
  const query = useSearchParams()
  if (query === null) return VERIFYING
  const link = parseVerificationLink(query)
  return link === null ? <Failed msg={LINK_PROBLEM} email={null} /> : <Verification link={link} />
}

function Verification({ link }: { link: VerificationLink }) {
  const verification = useResource(link.verificationToken, async (): Promise<Outcome> => {
    const outcome = await verifyOnce(link).catch(toRepeatedOutcome)
    savePendingEmail(link.email)
    return outcome
  })
  switch (verification.state) {
    case 'loading':
      return VERIFYING
    case 'failed':
      return <Failed msg={verification.msg} email={link.email} />
    case 'ready': {
      const { isRepeated, session } = verification.data
      return (
        <>
          <Notice tone="success" live>
            {isRepeated ? 'Your e-mail address is verified already.' : 'Email Verified. Congratulations!'}
          </Notice>
          {session && <Continue session={session} />}
          {/* A link alone opens no session: whoever has it may not be the owner of the account. */}
          {!session && (
            <p>Sign in with your password to open your account. We have filled in your e-mail address.</p>
          )}
          <ButtonLink href="/sign-in" variant={session ? 'secondary' : 'primary'} wide>
            Sign In
          </ButtonLink>
        </>
      )
    }
  }
}

interface Outcome {
  readonly session?: SessionAnswer | undefined
  /** The link had opened the account before. */
  readonly isRepeated?: boolean
}

function toRepeatedOutcome(error: unknown): Outcome {
  if (error instanceof ApiFailure && error.reasons?.includes(VERIFIED_ALREADY)) return { isRepeated: true }
  throw error
}

/** In the browser that registered: signs in, and goes on with the next step. */
function Continue({ session }: { session: SessionAnswer }) {
  const enterDashboard = () => {
    signIn(session)
    clearDrafts(session.email)
    saveToastForNextPage('Login Successful')
    location.assign('/dashboard/kyc')
  }
  return (
    <>
      <p>You registered in this browser, so you need no password now. Next, verify your identity.</p>
      <Button variant="primary" wide onClick={enterDashboard}>
        Verify your identity
      </Button>
    </>
  )
}

const VERIFYING = <Loading label="Verifying your e-mail address" />

function Failed({ msg, email }: { msg: string; email: string | null }) {
  return (
    <>
      <Notice tone="danger" live actions={email !== null && <ResendButton email={email} />}>
        {msg}
      </Notice>
      <ButtonLink href="/" variant="primary" wide>
        Go Back to Homepage
      </ButtonLink>
    </>
  )
}

interface VerificationLink {
  email: string
  verificationToken: string
}

const attempts = new Map<string, Promise<AnswerOf<typeof verifyEmail>>>()

/**
 * Redeems a verification link. The token works once, so a repeated call, as when the component is mounted again, gets the
 * result of the first one.
 */
export function verifyOnce(link: VerificationLink): Promise<AnswerOf<typeof verifyEmail>> {
  const attempt = attempts.get(link.verificationToken) ?? call(verifyEmail, { body: link, quiet: true })
  attempts.set(link.verificationToken, attempt)
  return attempt
}

export function parseVerificationLink(query: URLSearchParams): VerificationLink | null {
  const email = query.get('email') ?? ''
  const verificationToken = query.get('verificationToken') ?? ''
  return email === '' || verificationToken === '' ? null : { email, verificationToken }
}
