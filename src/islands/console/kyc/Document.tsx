import { useStore } from '@nanostores/react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { getKycDocument, type OperatorKyc } from '../../../contract/console/kyc.ts'
import { listReviewerKeys, type ReviewerKey } from '../../../contract/console/reviewerKeys.ts'
import { isolate } from '../../../contract/isolate.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { call, callBlob } from '../../lib/api.ts'
import { Loaded } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { CaseLoading } from '../cases/Case.tsx'
import { keychain } from '../cases/keychain.ts'
import { Picture, type PictureProps } from '../cases/Picture.tsx'
import { UnlockKey } from '../cases/UnlockKey.tsx'
import styles from './Document.module.css'

export interface DocumentProps {
  row: OperatorKyc
  isOpen: boolean
  /** Called once the document is shown, and its view recorded. */
  onOpen: () => void
  /** Whether the case opened by itself, after the decision of another one. */
  isContinued: boolean
}

/** An identity document. It is decrypted when a reviewer opens it; each opening is audited. */
export function Document(props: DocumentProps) {
  const { row, isOpen, onOpen } = props
  const [isAsked, setAsked] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  // The clicked button is gone, so the document takes the focus.
  useEffect(() => {
    if (isOpen) container.current?.focus({ preventScroll: true })
  }, [isOpen])
  const Sealed = row.sealedBy === 'browser' ? BrowserSealed : ServerSealed
  return (
    <div ref={container} className={styles.document} tabIndex={-1}>
      <Sealed {...props} isOpen={isOpen || isAsked} onOpen={() => setAsked(true)} onShown={onOpen} />
    </div>
  )
}

interface SealedProps extends DocumentProps {
  onShown: () => void
}

function ServerSealed({ row, isOpen, onOpen, onShown }: SealedProps) {
  if (!isOpen) {
    return (
      <div className={styles.closed}>
        <p className="small">
          Our server encrypted this document when it arrived. Opening it is recorded with your name and the
          time, and the investor sees that.
        </p>
        <OpenButton onOpen={onOpen} />
      </div>
    )
  }
  return (
    <DocumentPicture
      name={`document ${row._id}`}
      row={row}
      load={() => callBlob(getKycDocument, { params: { id: row._id } })}
      onShown={onShown}
    />
  )
}

function OpenButton({ onOpen }: Pick<DocumentProps, 'onOpen'>) {
  return (
    <Button variant="primary" onClick={onOpen}>
      Open document
    </Button>
  )
}

function DocumentPicture({ row, ...props }: { row: OperatorKyc } & Omit<PictureProps, 'alt' | 'saveAs'>) {
  return (
    <Picture
      {...props}
      alt={`${row.document} of ${isolate(row.investor.name)}, ${row.ref}`}
      saveAs={row.ref}
    />
  )
}

/** A document that only a reviewer's key can decrypt, in this browser. */
function BrowserSealed(props: SealedProps) {
  const keys = useResource('reviewer keys', () => call(listReviewerKeys))
  return (
    <Loaded resource={keys} waiting={<CaseLoading what="keys" />}>
      {(rows) => <OpenedByKey {...props} own={rows.filter(({ own }) => own)} />}
    </Loaded>
  )
}

function OpenedByKey(props: SealedProps & { own: readonly ReviewerKey[] }) {
  const { row, isOpen, onOpen, onShown, isContinued, own } = props
  const unlocked = useStore(keychain.$unlocked)
  const fitting = own.filter(({ fingerprint }) => row.sealedTo.includes(fingerprint))
  const [key] = fitting
  const isUnlocked = fitting.some(({ fingerprint }) => unlocked.includes(fingerprint))
  const openNow = useEffectEvent(onOpen)
  useEffect(() => {
    if (isContinued && isUnlocked) openNow()
  }, [isContinued, isUnlocked])
  if (key === undefined) return <NotSealedToYou hasKey={own.some(({ status }) => status === 'active')} />
  if (!isUnlocked || !isOpen) {
    return (
      <div className={styles.closed}>
        <p className="small">
          The investor’s browser encrypted this document to the reviewers’ keys; our server cannot read it.
          Opening it is recorded with your name and the time, and the investor sees that. While your key is
          unlocked, the next document opens by itself after each decision.
        </p>
        {isUnlocked ? (
          <OpenButton onOpen={onOpen} />
        ) : (
          <UnlockKey reviewerKey={key} submitLabel="Unlock and open" onUnlocked={onOpen} />
        )}
      </div>
    )
  }
  return (
    <DocumentPicture
      name={`sealed document ${row._id}`}
      row={row}
      load={() => fetchPicture(row)}
      onShown={onShown}
      actions={
        <Button size="small" onClick={keychain.lock}>
          Lock
        </Button>
      }
    />
  )
}

async function fetchPicture({ _id, sealedTo }: OperatorKyc): Promise<Blob> {
  const [{ openPicture }, sealed] = await Promise.all([
    import('./openPicture.ts'),
    callBlob(getKycDocument, { params: { id: _id } }),
  ])
  return openPicture(sealed, keychain.identityFor(sealedTo) ?? '')
}

function NotSealedToYou({ hasKey }: { hasKey: boolean }) {
  return hasKey ? (
    <Notice tone="caution" title="Not sealed to your key">
      This document was encrypted before your key was active, or to an old key of yours. Ask a colleague who
      can open it to encrypt it again, under Document keys.
    </Notice>
  ) : (
    <Notice
      tone="caution"
      title="You need a key to open this document"
      actions={
        <ButtonLink href="/operator/keys" size="small">
          Document keys
        </ButtonLink>
      }
    >
      The investor’s browser encrypted it to the reviewers’ keys, and you have no active key. Create one. Once
      a colleague approves it, documents can be encrypted to it.
    </Notice>
  )
}
