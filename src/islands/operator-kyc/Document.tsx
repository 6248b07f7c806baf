import { getKycDocument, type OperatorKyc } from '../../contract/operator/kyc.ts'
import { Button } from '../../design/Button.tsx'
import { Notice } from '../../design/Notice.tsx'
import { callBlob } from '../lib/api.ts'
import { Picture } from '../operator/Picture.tsx'
import styles from './Document.module.css'

interface DocumentProps {
  row: OperatorKyc
  isOpen: boolean
  onOpen: () => void
}

/** The document itself: it is decrypted when somebody asks for it, and each look is recorded with their name. */
export function Document({ row, isOpen, onOpen }: DocumentProps) {
  if (!row.mediaType.startsWith('image/')) {
    return (
      <Notice tone="caution" title="Encrypted in the investor’s browser">
        This document can only be opened with a reviewer’s own key, which this screen does not hold.
      </Notice>
    )
  }
  if (!isOpen) {
    return (
      <div className={styles.closed}>
        <p className="small">
          The document is stored encrypted. Opening it is recorded in the audit log, with your name and the
          time.
        </p>
        <Button variant="primary" onClick={onOpen}>
          Open document
        </Button>
      </div>
    )
  }
  return (
    <Picture
      name={`document ${row._id}`}
      load={() => callBlob(getKycDocument, { params: { id: row._id } })}
      alt={`${row.document} of ${row.investor.name}`}
    />
  )
}
