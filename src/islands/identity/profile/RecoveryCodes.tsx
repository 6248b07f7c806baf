import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { site } from '../../../site.ts'
import { takeFocus } from '../../lib/takeFocus.ts'
import styles from './Profile.module.css'

interface RecoveryCodesProps {
  title?: string
  codes: readonly string[]
  email: string
  onKept: () => void
}

export function RecoveryCodes({
  title = 'Your second factor is on',
  codes,
  email,
  onKept,
}: RecoveryCodesProps) {
  const file = useTextFile(
    `Recovery codes of ${email} at ${site.brand}. Each works once.\n\n${codes.join('\n')}\n`,
  )
  useAskingBeforeLeaving()
  return (
    <>
      <div ref={takeFocus} tabIndex={-1}>
        <Notice tone="success" title={title} live>
          If you lose your phone, sign in with one of these ten codes. Each works once. We show them only now
          and keep only their hashes.
        </Notice>
      </div>
      <ol className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code translate="no">{code}</code>
          </li>
        ))}
      </ol>
      <div className="row">
        <CopyButton text={codes.join('\n')} what="all recovery codes" size="medium" />
        {file && (
          <ButtonLink
            href={file}
            download={`${site.slug}-recovery-codes.txt`}
            icon={<Download aria-hidden="true" size={16} />}
          >
            Download as text
          </ButtonLink>
        )}
      </div>
      <p className="small soft">Keep them on paper or in a password manager, not on your phone.</p>
      <Button variant="primary" wide onClick={onKept}>
        I have kept them
      </Button>
    </>
  )
}

/** A blob URL for the text; null until it exists. */
function useTextFile(text: string): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [text])
  return address
}

/** Asks before the visitor leaves the page, because the codes are shown only once. */
function useAskingBeforeLeaving() {
  useEffect(() => {
    const confirmUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', confirmUnload)
    return () => removeEventListener('beforeunload', confirmUnload)
  }, [])
}
