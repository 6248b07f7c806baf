import { useState } from 'react'
import { listKycQueue } from '../../../contract/console/kyc.ts'
import type { ReviewerKey } from '../../../contract/console/reviewerKeys.ts'
import { Button } from '../../../design/Button.tsx'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { callPage } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { Reseal } from './Reseal.tsx'
import { type OutdatedDocument, planOf } from './resealAll.ts'

/** Documents that are sealed to other keys than today's, and sealing them anew. */
export function Outdated({ own }: { own: readonly ReviewerKey[] }) {
  const [isAsked, setAsked] = useState(false)
  const documents = useResource(isAsked ? 'outdated documents' : null, findOutdated)
  return (
    <Panel title="Documents sealed to other keys">
      <p>
        A reviewer who joins cannot open what was sealed before, and one who leaves still can. After either,
        seal the documents anew: your browser writes a new list of keys before the same encrypted picture.
      </p>
      {!isAsked && (
        <div className="row">
          <Button onClick={() => setAsked(true)}>Look for them</Button>
        </div>
      )}
      {isAsked && documents.state === 'loading' && (
        <div role="status">
          <Skeleton width="long" />
          <span className="visually-hidden">Looking for documents</span>
        </div>
      )}
      {documents.state === 'failed' && <LoadFailure msg={documents.msg} onRetry={documents.reload} />}
      {documents.state === 'ready' && (
        <Found documents={documents.data} own={own} onDone={documents.reload} />
      )}
    </Panel>
  )
}

function Found(props: {
  documents: readonly OutdatedDocument[]
  own: readonly ReviewerKey[]
  onDone: () => void
}) {
  const plan = planOf(props.documents, props.own)
  return (
    <>
      {props.documents.length === 0 && (
        <Notice tone="success" live>
          Every document is sealed to today’s keys.
        </Notice>
      )}
      {plan.others > 0 && (
        <Notice tone="caution" live>
          {countOf(plan.others)} sealed to none of your keys. A colleague who can open{' '}
          {plan.others === 1 ? 'it' : 'them'} has to do it.
        </Notice>
      )}
      {plan.mine.length > 0 && <Reseal plan={plan} onDone={props.onDone} />}
    </>
  )
}

/** "One document is", "3 documents are". */
function countOf(count: number): string {
  return count === 1 ? 'One document is' : `${count} documents are`
}

async function findOutdated(): Promise<OutdatedDocument[]> {
  const found: OutdatedDocument[] = []
  let cursor: string | undefined
  do {
    const page = await callPage(listKycQueue, { query: { limit: '100', outdated: 'true', cursor } })
    found.push(...page.rows)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found
}
