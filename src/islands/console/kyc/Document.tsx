import { useEffect, useRef } from 'react'
import { getKycDocument, type OperatorKyc } from '../../../contract/console/kyc.ts'
import { Button } from '../../../design/Button.tsx'
import { callBlob } from '../../lib/api.ts'
import { Picture } from '../cases/Picture.tsx'
import styles from './Document.module.css'
import { SealedDocument } from './SealedDocument.tsx'

export interface DocumentProps {
  row: OperatorKyc
  isOpen: boolean
  onOpen: () => void
}

/** The document itself: it is decrypted when somebody asks for it, and each look is recorded with their name. */
export function Document(props: DocumentProps) {
  const place = useRef<HTMLDivElement>(null)
  // What was pressed to open it has gone: the focus stays with what came in its place.
  useEffect(() => {
    if (props.isOpen) place.current?.focus({ preventScroll: true })
  }, [props.isOpen])
  return (
    <div ref={place} className={styles.place} tabIndex={-1}>
      <Content {...props} />
    </div>
  )
}

function Content(props: DocumentProps) {
  const { row, isOpen, onOpen } = props
  if (row.sealedBy === 'browser') {
    return <SealedDocument {...props} />
  }
  if (!isOpen) {
    return (
      <div className={styles.closed}>
        <p className="small">
          Our server encrypted this document when it arrived. Opening it is recorded with your name and the
          time, and the investor sees that.
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
      saveAs={row.ref}
    />
  )
}
