import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { listKycQueue } from '../../../contract/console/kyc.ts'
import type { ReviewerKey } from '../../../contract/console/reviewerKeys.ts'
import { Button } from '../../../design/Button.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Progress } from '../../../design/Progress.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { toast } from '../../../design/toasts.ts'
import { describeFailure } from '../../lib/ApiFailure.ts'
import { callPage } from '../../lib/api.ts'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { OutcomeNotice, type OutcomeWords } from '../cases/Case.tsx'
import { keychain } from '../cases/keychain.ts'
import { UnlockKey } from '../cases/UnlockKey.tsx'
import { type OutdatedDocument, type Plan, planReseal, type ResealResult } from './resealAll.ts'

/** Finds documents that are not sealed to today's keys, and seals them anew. */
export function Outdated({ own }: { own: readonly ReviewerKey[] }) {
  const [isSearching, setSearching] = useState(false)
  const documents = useResource(isSearching ? 'outdated documents' : null, findOutdated)
  return (
    <Panel title="Documents encrypted to old keys">
      <p>
        New reviewers cannot open older documents, and reviewers who left still can. When reviewers change,
        encrypt the documents again. Your browser replaces the list of keys and leaves the encrypted picture
        as it is.
      </p>
      {!isSearching && (
        <div className="row">
          <Button onClick={() => setSearching(true)}>Find documents</Button>
        </div>
      )}
      {isSearching && (
        <Loaded
          resource={documents}
          waiting={
            <Waiting label="Looking for documents">
              <Skeleton width="long" />
            </Waiting>
          }
        >
          {(found) => <Found documents={found} own={own} onDone={documents.reload} />}
        </Loaded>
      )}
    </Panel>
  )
}

function Found(props: {
  documents: readonly OutdatedDocument[]
  own: readonly ReviewerKey[]
  onDone: () => void
}) {
  const { documents, own, onDone } = props
  const plan = planReseal(documents, own)
  return (
    <>
      {documents.length === 0 && (
        <Notice tone="success" live>
          Every document is encrypted to the current keys.
        </Notice>
      )}
      {plan.others > 0 && (
        <Notice tone="caution" live>
          {formatDocumentCount(plan.others)} not encrypted to your key. A colleague who can open{' '}
          <span>{plan.others === 1 ? 'it' : 'them'}</span> has to do this.
        </Notice>
      )}
      {plan.mine.length > 0 && <Reseal plan={plan} onDone={onDone} />}
    </>
  )
}

/** "One document is", "3 documents are". */
function formatDocumentCount(count: number): string {
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

/** Unlocks the required keys, then reseals the documents one by one. `onDone` searches again. */
function Reseal({ plan: { mine, keys }, onDone }: { plan: Plan; onDone: () => void }) {
  const unlocked = useStore(keychain.$unlocked)
  const [count, setCount] = useState<number | null>(null)
  const [result, setResult] = useState<ResealResult | null>(null)
  const locked = keys.find(({ fingerprint }) => !unlocked.includes(fingerprint))
  const start = async () => {
    setCount(0)
    try {
      const { resealInBrowser } = await import('./keyWork.ts')
      setResult(await resealInBrowser(mine, setCount))
    } catch (error) {
      toast.error(describeFailure(error))
    } finally {
      setCount(null)
    }
  }
  if (result !== null) {
    return (
      <>
        <OutcomeNotice {...describeResealOutcome(result)} />
        <div className="row">
          <Button
            onClick={() => {
              setResult(null)
              onDone()
            }}
          >
            Search again
          </Button>
        </div>
      </>
    )
  }
  if (count !== null) return <Progress progress={count / mine.length} what="Encrypting again" />
  return (
    <>
      <p>
        You can encrypt <span>{mine.length === 1 ? 'one document' : `${mine.length} documents`}</span> again
        with your key. Your browser downloads each one, which is recorded as a view of it.
      </p>
      {locked ? (
        <UnlockKey key={locked._id} reviewerKey={locked} submitLabel="Unlock" onUnlocked={() => undefined} />
      ) : (
        <div className="row">
          <Button variant="primary" onClick={() => void start()}>
            {mine.length === 1 ? 'Encrypt it again' : `Encrypt ${mine.length} documents again`}
          </Button>
          <Button onClick={keychain.lock}>Lock</Button>
        </div>
      )}
    </>
  )
}

function describeResealOutcome({ done, failed }: ResealResult): OutcomeWords {
  const count = done === 1 ? 'One document was' : `${done} documents were`
  if (failed.length === 0)
    return { tone: 'success', title: 'Done', text: `${count} encrypted to the current keys.` }
  return {
    tone: 'caution',
    title: 'Some documents failed',
    text: (
      <>
        <span>{count} encrypted again. These failed:</span>
        <ul>
          {failed.map(({ ref, msg }) => (
            <li key={ref}>
              <span translate="no">{ref}</span>: {msg}
            </li>
          ))}
        </ul>
      </>
    ),
  }
}
