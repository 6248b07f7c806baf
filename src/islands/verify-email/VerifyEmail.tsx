import { ButtonLink } from '../../design/ButtonLink.tsx'
import { ErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { Loading } from '../../design/Loading.tsx'
import { Notice } from '../../design/Notice.tsx'
import { ResendButton } from '../check-email/ResendButton.tsx'
import { useQuery } from '../lib/query.ts'
import { useResource } from '../lib/resource.ts'
import { verifyOnce } from './verifyOnce.ts'

export function VerifyEmail() {
  return (
    <ErrorBoundary>
      <Verification />
    </ErrorBoundary>
  )
}

function Verification() {
  const query = useQuery()
  const verification = useResource(query && 'verification', () => verifyOnce(query ?? new URLSearchParams()))
  switch (verification.state) {
    case 'loading':
      return <Loading label="Verifying your e-mail address" />
    case 'failed':
      return <Failed msg={verification.msg} email={query?.get('email') ?? ''} />
    case 'ready':
      return (
        <>
          <Notice tone="success" live>
            Email Verified. Congratulations!
          </Notice>
          <ButtonLink href="/sign-in" variant="primary" wide>
            Sign In
          </ButtonLink>
        </>
      )
  }
}

function Failed({ msg, email }: { msg: string; email: string }) {
  return (
    <>
      <Notice tone="danger" live actions={email !== '' && <ResendButton email={email} />}>
        {msg}
      </Notice>
      <ButtonLink href="/" variant="primary" wide>
        Go Back to Homepage
      </ButtonLink>
    </>
  )
}
