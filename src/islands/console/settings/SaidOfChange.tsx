import { useState } from 'react'
import type { patchSettings } from '../../../contract/console/settings.ts'
import { nestedSettings } from '../../../contract/console/settingValues.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { Button } from '../../../design/Button.tsx'
import { failureWords } from '../../lib/ApiFailure.ts'
import { OutcomeNotice } from '../cases/Outcome.tsx'
import type { Done } from './changed.ts'
import { FromTo } from './FromTo.tsx'

export interface SaidOfChangeProps {
  done: Done
  undo: (body: InputOf<typeof patchSettings>) => Promise<void>
}

/** What was just changed or proposed; what holds already can be taken back from here. */
export function SaidOfChange({ done, undo }: SaidOfChangeProps) {
  const [state, setState] = useState<'done' | 'undoing' | 'undone'>('done')
  const [failure, setFailure] = useState<string | null>(null)
  if (state === 'undone') {
    return <OutcomeNotice tone="info" title="Undone" text="It stands as it stood before." />
  }
  if (done.how === 'proposed') {
    return (
      <OutcomeNotice
        tone="success"
        title="Proposed"
        text={
          <>
            <FromTo changes={done.changes} />
            Nothing has changed yet. Another administrator decides
            {done.proposal !== null && (
              <>
                {': '}
                <a href={`/operator/proposals?open=${encodeURIComponent(done.proposal)}`}>the proposal</a>
              </>
            )}
            .
          </>
        }
      />
    )
  }
  const takeBack = () => {
    setState('undoing')
    setFailure(null)
    // What held before was answered by the same API.
    undo(nestedSettings(done.before) as InputOf<typeof patchSettings>).then(
      () => setState('undone'),
      (error: unknown) => {
        setState('done')
        setFailure(failureWords(error))
      },
    )
  }
  return (
    <OutcomeNotice
      tone="success"
      title="Changed"
      text={
        <>
          <FromTo changes={done.changes} />
          <Button size="small" busy={state === 'undoing'} onClick={takeBack}>
            Undo
          </Button>
          {failure !== null && <p role="alert">{failure}</p>}
        </>
      }
    />
  )
}
