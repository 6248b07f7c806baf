import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { getSettingFacts } from '../../../contract/console/settingList.ts'
import { patchSettings } from '../../../contract/console/settings.ts'
import { getSetting } from '../../../contract/console/settingValues.ts'
import { requiredLines } from '../../../contract/fields.ts'
import { Button } from '../../../design/Button.tsx'
import { TextArea } from '../../../design/Field.tsx'
import { toCapitalised } from '../../money/transactions/words.ts'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { withFactor } from '../cases/factor.tsx'
import type { ChangeSettingProps } from './ChangeSetting.tsx'
import { describeChange, ReasonList } from './changes.tsx'
import styles from './Settings.module.css'
import { buildPatchBody, type SettingsInput } from './settingsInput.ts'

const MOST = 50

/** Proposes another list of reasons or countries: change, move, remove and add. */
export function ChangeReasons({ of, settings, onDone, onCancel }: ChangeSettingProps) {
  const { longest = 300 } = getSettingFacts(of)
  const [stored] = useState(() => toList(getSetting(settings, of)))
  const item = of === 'risk.countries' ? 'country' : longest > 300 ? 'template' : 'reason'
  const Item = toCapitalised(item)
  const items = useItems(stored.length, item)
  const schema = z.object(
    Object.fromEntries(
      items.ids.map((id) => [id, requiredLines(`Please enter the ${item}, or remove it`, longest)]),
    ),
  ) as unknown as z.ZodMiniType<SettingsInput, SettingsInput>
  const listTyped = (typed: SettingsInput) => items.ids.map((id) => typed[id]?.trim() ?? '')
  const form = useConfirmedForm({
    endpoint: patchSettings,
    schema,
    defaultValues: Object.fromEntries(stored.map((reason, i) => [buildReasonId(i), reason])),
    bodyOf: (typed) => buildPatchBody(of, listTyped(typed)),
    send: withFactor(patchSettings, `Another list: ${getSettingFacts(of).label.toLowerCase()}`),
    onDone: (answer, typed) => onDone(describeChange(of, listTyped(typed), settings), answer._id),
    onFailure: ({ fields = {} }) => {
      // The server identifies a reason by its position.
      items.ids.forEach((id, i) => {
        const message = fields[`${of}.${i}`]
        if (message !== undefined) form.form.setError(id, { message })
      })
    },
  })
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review the list"
      confirmLabel="Propose the list"
      summary={(typed) => (
        <>
          <p className="soft small">{getSettingFacts(of).label}, once it is approved:</p>
          <ReasonList reasons={listTyped(typed)} />
          <p>Nothing changes until another administrator approves your proposal.</p>
        </>
      )}
      onCancel={onCancel}
    >
      <p className="soft">{getSettingFacts(of).does}</p>
      <ol className={styles.editor} ref={items.list}>
        {items.ids.map((id, i) => (
          <li key={id} data-item={id}>
            <TextArea
              label={`${Item} ${i + 1}`}
              rows={{ country: 1, reason: 2, template: 6 }[item]}
              data-lines={item === 'template' || undefined}
              maxLength={longest}
              {...(item === 'template' && {
                hint: 'A first line that begins with “# ” is its name in the list, and is not sent.',
              })}
              {...form.field(id)}
            />
            <div className={styles.moves}>
              <Button
                size="small"
                variant="quiet"
                aria-label={`Move ${item} ${i + 1} up`}
                data-move="up"
                aria-disabled={i === 0}
                icon={<ArrowUp aria-hidden="true" size={16} />}
                onClick={() => items.move(id, -1)}
              />
              <Button
                size="small"
                variant="quiet"
                aria-label={`Move ${item} ${i + 1} down`}
                data-move="down"
                aria-disabled={i === items.ids.length - 1}
                icon={<ArrowDown aria-hidden="true" size={16} />}
                onClick={() => items.move(id, 1)}
              />
              <Button
                size="small"
                variant="quiet"
                aria-label={`Remove ${item} ${i + 1}`}
                icon={<X aria-hidden="true" size={16} />}
                onClick={() => items.remove(id)}
              />
            </div>
          </li>
        ))}
      </ol>
      {items.ids.length === 0 && (
        <p className="soft">
          {item === 'reason'
            ? 'The list is empty: operators write each reason themselves.'
            : 'The list is empty.'}
        </p>
      )}
      <div>
        <Button
          size="small"
          icon={<Plus aria-hidden="true" size={16} />}
          disabled={items.ids.length >= MOST}
          onClick={items.add}
        >
          {`Add a ${item}`}
        </Button>
      </div>
      <p role="status" className="visually-hidden">
        {items.announcement}
      </p>
    </ConfirmedForm>
  )
}

/** The order of the fields. A moved field keeps its text. */
function useItems(count: number, item: string) {
  const [ids, setIds] = useState(() => Array.from({ length: count }, (_, i) => buildReasonId(i)))
  const [announcement, announce] = useState('')
  const made = useRef(count)
  const list = useRef<HTMLOListElement>(null)
  // After the next render, because a moved or removed field loses the focus.
  const focus = (selector: string) =>
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(selector)?.focus())
  return {
    ids,
    announcement,
    list,
    add: () => {
      const id = buildReasonId(made.current++)
      setIds([...ids, id])
      focus(`[data-item="${id}"] textarea`)
    },
    move: (id: string, by: -1 | 1) => {
      const at = ids.indexOf(id)
      const to = at + by
      const other = ids[to]
      if (other === undefined) return
      setIds(ids.map((reasonId) => (reasonId === id ? other : reasonId === other ? id : reasonId)))
      announce(`Now ${item} ${to + 1} of ${ids.length}`)
      focus(`[data-item="${id}"] [data-move="${by === 1 ? 'down' : 'up'}"]`)
    },
    remove: (id: string) => {
      const at = ids.indexOf(id)
      const left = ids.filter((reasonId) => reasonId !== id)
      setIds(left)
      announce(`Removed. ${left.length} left`)
      const next = left[Math.min(at, left.length - 1)]
      focus(next === undefined ? '' : `[data-item="${next}"] textarea`)
    },
  }
}

function buildReasonId(place: number): string {
  return `reason ${place}`
}

function toList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : []
}
