import { LINK_PROBLEM } from '../../../contract/common.ts'
import { ButtonLink } from '../../../design/ButtonLink.tsx'
import { ErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Loading } from '../../../design/Loading.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { useResource } from '../../lib/resource.ts'
import { useSearchParams } from '../../lib/url.ts'
import { ResendButton } from './ResendButton.tsx'
import { linkOf, type VerificationLink, verifyOnce } from './verifyOnce.ts'

export function VerifyEmail() {
  return (
    <ErrorBoundary>
      <Opened />
    </ErrorBoundary>
  )
}

function Opened() {
  const query = useSearchParams()
  if (query === null) return <Verifying />
  const link = linkOf(query)
  return link === null ? <Failed msg={LINK_PROBLEM} email={null} /> : <Verification link={link} />
}

function Verification({ link }: { link: VerificationLink }) {
  const verification = useResource(link.verificationToken, () => verifyOnce(link))
  switch (verification.state) {
    case 'loading':
      return <Verifying />
    case 'failed':
      return <Failed msg={verification.msg} email={link.email} />
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

function Verifying() {
  return <Loading label="Verifying your e-mail address" />
}

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
