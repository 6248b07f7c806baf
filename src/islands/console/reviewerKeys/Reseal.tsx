import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { Button } from '../../../design/Button.tsx'
import { Progress } from '../../../design/Progress.tsx'
import { toast } from '../../../design/toasts.ts'
import { failureWords } from '../../lib/ApiFailure.ts'
import { keychain } from '../cases/keychain.ts'
import { Said } from '../cases/Said.tsx'
import { UnlockKey } from '../cases/UnlockKey.tsx'
import type { Plan, Resealed } from './resealAll.ts'

export interface ResealProps {
  plan: Plan
  /** Looks again which documents are left. */
  onDone: () => void
}

/** Unlocks the keys that it takes, then seals one document after the other anew. */
export function Reseal({ plan: { mine, keys }, onDone }: ResealProps) {
  const unlocked = useStore(keychain.$unlocked)
  const [count, setCount] = useState<number | null>(null)
  const [result, setResult] = useState<Resealed | null>(null)
  const locked = keys.find(({ fingerprint }) => !unlocked.includes(fingerprint))
  const start = async () => {
    setCount(0)
    try {
      const { resealInBrowser } = await import('./resealInBrowser.ts')
      setResult(await resealInBrowser(mine, setCount))
    } catch (error) {
      toast.error(failureWords(error))
    } finally {
      setCount(null)
    }
  }
  if (result !== null) {
    return (
      <>
        <Said {...wordsOf(result)} />
        <div className="row">
          <Button
            onClick={() => {
              setResult(null)
              onDone()
            }}
          >
            Look again
          </Button>
        </div>
      </>
    )
  }
  if (count !== null) return <Progress progress={count / mine.length} what="Sealing anew" />
  return (
    <>
      <p>
        {mine.length === 1 ? 'One document can' : `${mine.length} documents can`} be sealed anew with your
        key. Each is fetched for that, which is recorded as a look at it.
      </p>
      {locked ? (
        <UnlockKey
          key={locked._id}
          reviewerKey={locked}
          submitLabel="Unlock"
          onUnlocked={() => {
            // What comes next stands in the place of the form.
          }}
        />
      ) : (
        <div className="row">
          <Button variant="primary" onClick={() => void start()}>
            {mine.length === 1 ? 'Seal it anew' : `Seal ${mine.length} documents anew`}
          </Button>
          <Button onClick={keychain.lock}>Lock</Button>
        </div>
      )}
    </>
  )
}

function wordsOf({ done, failed }: Resealed) {
  const count = done === 1 ? 'One document was' : `${done} documents were`
  if (failed.length === 0)
    return { tone: 'success', title: 'Done', text: `${count} sealed anew to today’s keys.` } as const
  return {
    tone: 'caution',
    title: 'Not all of them',
    text: (
      <>
        {count} sealed anew. Of the others:
        <ul>
          {failed.map(({ ref, msg }) => (
            <li key={ref}>
              {ref}: {msg}
            </li>
          ))}
        </ul>
      </>
    ),
  } as const
}
