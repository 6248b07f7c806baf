import { useState } from 'react'
import { listKycQueue } from '../../../contract/console/kyc.ts'
import { call } from '../../lib/api.ts'
import { getData, useResource } from '../../lib/resource.ts'
import { CaseLoading } from '../cases/Case.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { Document } from './Document.tsx'

/** The approved identity document of a person, to open in another case of theirs. Nothing for operators who may not open it. */
export function DocumentOnFile({ id }: { id: string }) {
  const { can } = useOperator()
  const mayOpen = can('operator:kyc.documents')
  const [isOpen, setOpen] = useState(false)
  const found = useResource(mayOpen ? `document on file ${id}` : null, () =>
    call(listKycQueue, { query: { ids: id } }),
  )
  const [row] = getData(found) ?? []
  if (!mayOpen) return null
  if (row === undefined) return <CaseLoading what="document" />
  return (
    <div data-whole={isOpen || undefined}>
      <Document row={row} isOpen={isOpen} onOpen={() => setOpen(true)} isContinued={false} />
    </div>
  )
}
