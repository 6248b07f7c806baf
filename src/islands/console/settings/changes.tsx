import { useState } from 'react'
import { type SettingKey, settingFacts } from '../../../contract/console/settingList.ts'
import type { patchSettings } from '../../../contract/console/settings.ts'
import {
  nestedSettings,
  type Settings,
  type SettingValue,
  settingAt,
  settingText,
} from '../../../contract/console/settingValues.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { Button } from '../../../design/Button.tsx'
import { failureWords } from '../../lib/ApiFailure.ts'
import { OutcomeNotice } from '../cases/Case.tsx'
import styles from './Settings.module.css'

export interface Change {
  label: string
  before: string
  after: string
}

/** The result of a change of settings. */
export interface SettingsChange {
  /** `changed`: in force. `proposed`: waits for another administrator. */
  how: 'changed' | 'proposed'
  changes: readonly Change[]
  /** The old values, to undo the change. */
  before: SettingChanges
  proposal: string | null
}

/** New values of settings, in the units of the API. */
export type SettingChanges = ReadonlyMap<SettingKey, SettingValue>

export function changesInWords(changes: SettingChanges, settings: Settings): readonly Change[] {
  return [...changes].map(([key, value]) => ({
    label: settingFacts(key).label,
    ...inWords(key, settingAt(settings, key) ?? null, value),
  }))
}

// Describes a list by its length only, because the summary shows its sentences.
function inWords(key: SettingKey, before: SettingValue, after: SettingValue): Omit<Change, 'label'> {
  if (!Array.isArray(before) || !Array.isArray(after))
    return { before: settingText(key, before), after: settingText(key, after) }
  const isSameLength = before.length === after.length
  return {
    before: `${before.length} reasons`,
    after: isSameLength ? 'changed words or order' : `${after.length} reasons`,
  }
}

/** Builds the result of a form after its changes were sent. */
export function reportOf(
  how: SettingsChange['how'],
  changes: SettingChanges,
  settings: Settings,
  proposal: string | null,
): SettingsChange {
  const before = new Map([...changes.keys()].map((key) => [key, settingAt(settings, key) ?? null]))
  return { how, changes: changesInWords(changes, settings), before, proposal }
}

/** Lists settings with their old and new values. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  return (
    <dl className={styles.changes}>
      {changes.map(({ label, before, after }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <s className={styles.before}>
              <span className="visually-hidden">Before: </span>
              {before}
            </s>{' '}
            <span aria-hidden="true">→</span>{' '}
            <strong>
              <span className="visually-hidden">After: </span>
              {after}
            </strong>
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function ReasonList({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return <p className="soft">None: operators write each reason themselves.</p>
  return (
    <ol className={styles.reasons}>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ol>
  )
}

interface ChangeOutcomeProps {
  done: SettingsChange
  undo: (body: InputOf<typeof patchSettings>) => Promise<void>
}

/** Shows what was changed or proposed. A change in force can be undone. */
export function ChangeOutcome({ done, undo }: ChangeOutcomeProps) {
  const [state, setState] = useState<'done' | 'undoing' | 'undone'>('done')
  const [failure, setFailure] = useState<string | null>(null)
  if (state === 'undone') {
    return <OutcomeNotice tone="info" title="Undone" text="The old value is back." />
  }
  if (done.how === 'proposed') {
    return (
      <OutcomeNotice
        tone="success"
        title="Proposed"
        text={
          <>
            <ChangeList changes={done.changes} />
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
  const onUndo = () => {
    setState('undoing')
    setFailure(null)
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
          <ChangeList changes={done.changes} />
          <Button size="small" busy={state === 'undoing'} onClick={onUndo}>
            Undo
          </Button>
          {failure !== null && <p role="alert">{failure}</p>}
        </>
      }
    />
  )
}
