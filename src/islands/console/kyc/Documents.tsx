import { useState } from 'react'
import { listKycQueue, type OperatorKyc } from '../../../contract/console/kyc.ts'
import { isolate } from '../../../contract/isolate.ts'
import { SelectField } from '../../../design/SelectField.tsx'
import { call } from '../../lib/api.ts'
import { getData, useResource } from '../../lib/resource.ts'
import { CaseLoading } from '../cases/Case.tsx'
import { useOperator } from '../cases/useOperator.ts'
import styles from './Document.module.css'
import { Document, type DocumentProps } from './Document.tsx'

/** The document of a case. Once it is open, another one can be opened beside it. */
export function Documents(props: DocumentProps) {
  return (
    <div className={styles.documents} data-whole={props.isOpen || undefined}>
      <Document {...props} />
      {props.isOpen && <OtherDocuments row={props.row} />}
    </div>
  )
}

/** Opens another document beside an open one: another of the person, or that of somebody else with the same picture. */
function OtherDocuments({ row }: { row: OperatorKyc }) {
  const [chosen, choose] = useState('')
  const others = getData(useResource(`documents beside ${row._id}`, () => loadOthers(row))) ?? []
  const other = others.find(({ _id }) => _id === chosen)
  if (others.length === 0) return null
  return (
    <>
      {other && (
        <div data-pair>
          <Document key={chosen} row={other} isOpen onOpen={() => undefined} isContinued={false} />
        </div>
      )}
      <SelectField
        label="Compare with"
        placeholder="No other document"
        hint="This view is recorded, too."
        options={others.map(({ _id, ref, document, status, investor }) => ({
          value: _id,
          label: `${ref}, ${status}: ${document.toLowerCase()} of ${isolate(investor.name)}`,
        }))}
        value={chosen}
        onChange={({ target }) => choose(target.value)}
      />
    </>
  )
}

async function loadOthers({ _id, investor, risk }: OperatorKyc): Promise<readonly OperatorKyc[]> {
  const same = risk?.signals.find(({ rule }) => rule === 'same_document')?.link
  const [own, ofOthers] = await Promise.all([
    call(listKycQueue, { query: { person: investor._id } }),
    same ? call(listKycQueue, { query: { ids: same.id } }) : [],
  ])
  return [...ofOthers, ...own].filter((document) => document._id !== _id)
}

/** The approved identity document of a person, to open in another case of theirs. Nothing for operators who may not open it. */
export function DocumentOnFile({
  id,
  isOpen,
  onOpen,
}: { id: string } & Pick<DocumentProps, 'isOpen' | 'onOpen'>) {
  const { can } = useOperator()
  const mayOpen = can('operator:kyc.documents')
  const found = useResource(mayOpen ? `document on file ${id}` : null, () =>
    call(listKycQueue, { query: { ids: id } }),
  )
  const [row] = getData(found) ?? []
  if (!mayOpen) return null
  if (row === undefined) return <CaseLoading what="document" />
  return (
    <div data-whole={isOpen || undefined}>
      <Document row={row} isOpen={isOpen} onOpen={onOpen} isContinued={false} />
    </div>
  )
}
